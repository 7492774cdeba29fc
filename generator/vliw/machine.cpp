#include "vliw/machine.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "hardware/json_file.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/embedded.h"

namespace burin::vliw {
namespace {

constexpr std::pair<std::string_view, uint32_t> kTraits[] = {{"load", kLoad},
                                                             {"store", kStore},
                                                             {"call", kCall},
                                                             {"jump", kJump},
                                                             {"solo", kSolo},
                                                             {"solo_ax", kSoloAx},
                                                             {"slot1_alu", kSlot1Alu},
                                                             {"if", kIfTrue},
                                                             {"unless", kIfFalse},
                                                             {"pred_late", kPredicateLate},
                                                             {"cof", kChangesFlow},
                                                             {"cof_first", kFlowFirst},
                                                             {"cof_second", kFlowSecond},
                                                             {"no_slot1_store", kNoSlot1Store},
                                                             {"tmp", kTemporaryLoad},
                                                             {"cur", kCurrentLoad},
                                                             {"alu32", kAlu32},
                                                             {"xtype", kXtype},
                                                             {"cr", kControl},
                                                             {"fp", kFloat},
                                                             {"loop0", kLoop0},
                                                             {"loop1", kLoop1},
                                                             {"system", kSystem}};

std::vector<std::string_view> words(std::string_view text, char separator = ' ') {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) all.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::optional<int> leading_number(std::string_view& text) {
  int value = 0;
  size_t n = 0;
  while (n < text.size() && n < 4 && text[n] >= '0' && text[n] <= '9')
    value = value * 10 + (text[n++] - '0');
  text.remove_prefix(n);
  if (n == 0) return std::nullopt;
  return value;
}

int number_or_refuse(const JsonValue& where, std::string_view& text) {
  const std::optional<int> value = leading_number(text);
  if (!value) where.refuse("bad-machine", "expected a number at " + quoted(text));
  return *value;
}

void read_pipes(const JsonValue& pipes, Machine& machine) {
  for (size_t i = 0; i < pipes.size(); ++i) {
    machine.pipe_names.push_back(pipes.key(i));
    std::vector<uint16_t> alternatives;
    for (size_t a = 0; a < pipes[i].size(); ++a) {
      uint16_t mask = 0;
      for (size_t u = 0; u < pipes[i][a].size(); ++u) {
        const std::string& unit = pipes[i][a][u].as_string();
        auto at = std::find(machine.resources.begin(), machine.resources.end(), unit);
        if (at == machine.resources.end()) {
          if (machine.resources.size() == 16)
            pipes[i][a][u].refuse("bad-machine", "more than 16 units");
          at = machine.resources.insert(at, unit);
        }
        mask = static_cast<uint16_t>(mask | 1u << (at - machine.resources.begin()));
      }
      alternatives.push_back(mask);
    }
    machine.pipes.push_back(std::move(alternatives));
  }
}

void read_classes(const JsonValue& classes, Machine& machine) {
  for (size_t i = 0; i < classes.size(); ++i) {
    const JsonValue entry = classes[i];
    TimingClass timing;
    for (std::string_view group : words(entry.at("slots").as_string(), '|')) {
      uint8_t mask = 0;
      for (const char slot : group) {
        if (slot < '0' || slot >= '0' + machine.slots)
          entry.at("slots").refuse("bad-machine", "no such slot");
        mask = static_cast<uint8_t>(mask | 1u << (slot - '0'));
      }
      timing.slots.push_back(mask);
    }
    if (entry.has("pipes")) {
      for (const std::string_view pipe : words(entry.at("pipes").as_string(), '+')) {
        const auto at = std::find(machine.pipe_names.begin(), machine.pipe_names.end(), pipe);
        if (at == machine.pipe_names.end())
          entry.at("pipes").refuse("bad-machine", "no pipe " + quoted(pipe));
        timing.pipes.push_back(static_cast<int>(at - machine.pipe_names.begin()));
      }
    }
    for (std::string_view operand : words(entry.at("cycles").as_string())) {
      Timing t;
      t.cycle = static_cast<int8_t>(number_or_refuse(entry.at("cycles"), operand));
      if (!operand.empty()) t.net = operand[0];
      if (t.net < 0) entry.at("cycles").refuse("bad-machine", "a network is one letter");
      timing.operands.push_back(t);
    }
    machine.classes.push_back(std::move(timing));
    machine.class_names.push_back(classes.key(i));
  }
}

int class_index(const Machine& machine, const JsonValue& name) {
  const auto at =
      std::find(machine.class_names.begin(), machine.class_names.end(), name.as_string());
  if (at == machine.class_names.end())
    name.refuse("bad-machine", "no class " + quoted(name.as_string()));
  return static_cast<int>(at - machine.class_names.begin());
}

std::vector<OperandRole> read_roles(const JsonValue& ops) {
  std::vector<OperandRole> roles;
  for (std::string_view word : words(ops.as_string())) {
    OperandRole role;
    role.role = word[0];
    if (std::string_view("dsxikfn").find(role.role) == std::string_view::npos) {
      ops.refuse("bad-machine", "no operand role " + quoted(word));
    }
    word.remove_prefix(1);
    const int first = number_or_refuse(ops, word);
    if (role.role == 'd') role.write = first;
    if (role.role == 's') role.read = first;
    if (role.role == 'k' || role.role == 'f' || role.role == 'n') role.literal = first;
    if (role.role == 'x') {
      role.write = first;
      if (word.empty() || word[0] != ':') ops.refuse("bad-machine", "an x operand has two timings");
      word.remove_prefix(1);
      role.read = number_or_refuse(ops, word);
    }
    role.low = !word.empty() && word[0] == '!';
    roles.push_back(role);
  }
  return roles;
}

void read_extends(const JsonValue& text, Form& form) {
  for (const std::string_view entry : words(text.as_string(), ',')) {
    const std::vector<std::string_view> parts = words(entry);
    if (parts.size() < 2 || parts[1].size() < 2)
      text.refuse("bad-machine", "expected an operand and a range");
    ExtendRange range;
    std::string_view operand = parts[0], bits = parts[1].substr(1);
    range.operand = number_or_refuse(text, operand);
    range.is_signed = parts[1][0] == 's';
    range.bits = number_or_refuse(text, bits);
    if (bits.size() > 1) {
      bits.remove_prefix(1);
      range.align = number_or_refuse(text, bits);
    }
    range.must = parts.size() > 2;
    form.extend.push_back(range);
  }
}

void read_address(const JsonValue& row, Form& form, int vector_bytes) {
  const JsonValue size = row.at("size");
  if (size.kind() == JsonKind::kString) {
    form.bytes = vector_bytes;
    form.vector_access = true;
    form.aligned_vector = size.as_string() == "vmem";
  } else {
    form.bytes = static_cast<int>(size.as_integer(1, 8));
  }
  if (!row.has("at")) return;
  std::string_view at = row.at("at").as_string();
  form.base = number_or_refuse(row.at("at"), at);
  form.post_increment = at.substr(0, 2) == "++";
  if (!at.empty()) {
    at.remove_prefix(form.post_increment ? 2 : 1);
    form.offset = number_or_refuse(row.at("at"), at);
  }
}

Form read_form(const JsonValue& row, const Machine& machine) {
  Form form;
  form.key = row.at("form").as_string();
  if (row.has("ops")) form.roles = read_roles(row.at("ops"));
  form.timing = class_index(machine, row.at("class"));
  if (row.has("is")) {
    for (const std::string_view word : words(row.at("is").as_string())) {
      const auto at = std::find_if(std::begin(kTraits), std::end(kTraits),
                                   [&](const auto& t) { return t.first == word; });
      if (at == std::end(kTraits)) row.at("is").refuse("bad-machine", "no trait " + quoted(word));
      form.traits |= at->second;
    }
  }
  if (row.has("size")) read_address(row, form, machine.vector_bytes);
  if (row.has("ext")) read_extends(row.at("ext"), form);
  if (row.has("uses")) form.uses = registers_of_list(row.at("uses").as_string());
  if (row.has("defs")) form.defs = registers_of_list(row.at("defs").as_string());
  // The loop instructions only write usr's loop configuration; floating point raises sticky flags.
  if (form.is(kLoop0 | kLoop1) && form.defs.has(kStatus)) {
    form.defs.remove(kStatus);
    form.defs.remove(kSticky);
  }
  if (form.is(kFloat)) {
    form.defs.add(kSticky);
    form.uses.remove(kSticky);
    form.uses.remove(kLoopConfig);
  }
  if (row.has("produces")) form.produces = static_cast<int>(row.at("produces").as_integer(0, 9));
  if (row.has("consumes")) form.consumes = static_cast<int>(row.at("consumes").as_integer(0, 9));
  if (row.has("tied")) form.tied = static_cast<int>(row.at("tied").as_integer(1, 9));
  const int operands = static_cast<int>(form.roles.size());
  const auto known = [&](int index) { return index < operands; };
  const bool fits = known(form.base) && known(form.offset) && known(form.produces) &&
                    known(form.consumes) && known(form.tied) &&
                    std::all_of(form.extend.begin(), form.extend.end(),
                                [&](const ExtendRange& e) { return known(e.operand); });
  if (!fits)
    row.refuse("bad-machine",
               "a column of " + quoted(form.key) + " names an operand that it does not have");
  return form;
}

// A file, or one that comes with burin: its path in the project, or in configs/.
JsonDocument document_of(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) || error) return read_json_file(path);
  for (const std::string& shipped : {path, "configs/" + path, "configs/" + path + ".json"}) {
    const std::vector<std::string_view> found = embedded_files(shipped);
    if (!found.empty() && found[0] == shipped)
      return read_json_text(embedded_file(shipped), shipped);
  }
  return read_json_file(path);
}

std::string beside(const std::string& path, const std::string& name) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? name : path.substr(0, slash + 1) + name;
}

void read_instructions(const std::string& path, const std::string& version, Machine& machine) {
  const JsonDocument document = document_of(path);
  const JsonValue forms = document.root().at("forms");
  for (size_t i = 0; i < forms.size(); ++i) {
    const JsonValue row = forms[i];
    if (row.has("since") && row.at("since").as_string() > version) continue;
    if (row.has("until") && row.at("until").as_string() < version) continue;
    machine.forms.push_back(read_form(row, machine));
  }
}

}  // namespace

const Form* Machine::find(std::string_view key) const {
  const auto at = by_key_.find(std::string(key));
  return at == by_key_.end() ? nullptr : &forms[static_cast<size_t>(at->second)];
}

Machine load_machine(const std::string& path) {
  const JsonDocument document = document_of(path);
  const JsonValue root = document.root();
  Machine machine;
  machine.name = root.at("name").as_string();
  const JsonValue packet = root.at("packet");
  machine.instructions = static_cast<int>(packet.at("instructions").as_integer(1, 8));
  machine.words = static_cast<int>(packet.at("words").as_integer(1, 8));
  machine.slots = static_cast<int>(packet.at("slots").as_integer(1, 8));
  machine.vector_bytes = static_cast<int>(root.at("vector_bytes").as_integer(1, 4096));
  read_pipes(root.at("pipes"), machine);
  read_classes(root.at("classes"), machine);
  const JsonValue latency = root.at("latency");
  for (size_t i = 0; i < latency.at("nets").size(); ++i) {
    const std::string& net = latency.at("nets").key(i);
    if (net.size() != 1 || net[0] < 0)
      latency.at("nets").refuse("bad-machine", "a network is one letter");
    machine.net_gain[static_cast<size_t>(net[0])] =
        static_cast<int>(latency.at("nets")[i].as_integer(0, 9));
  }
  machine.cycles_per_packet = static_cast<int>(latency.at("cycles_per_packet").as_integer(1, 16));
  machine.aligned_accesses = root.has("aligned_accesses") && root.at("aligned_accesses").as_bool();
  const JsonValue soft = root.at("soft");
  machine.soft = {soft.at("write_after_read").as_number(),
                  soft.at("new_value").as_number(),
                  soft.at("new_predicate").as_number(),
                  soft.at("current_load").as_number(),
                  soft.at("load_then_store").as_number(),
                  soft.has("store_then_load") ? soft.at("store_then_load").as_number() : -1};
  if (root.has("soft_rules")) {
    const JsonValue rules = root.at("soft_rules");
    for (size_t i = 0; i < rules.size(); ++i) {
      machine.soft_rules.push_back({class_index(machine, rules[i].at("from")),
                                    class_index(machine, rules[i].at("to")),
                                    rules[i].at("penalty").as_number()});
    }
  }
  const JsonValue sda = root.at("sda");
  machine.sda_w = sda.at("w").as_number();
  machine.sda_p = sda.at("p").as_number();
  for (size_t i = 0; i < sda.at("sweep").size(); ++i)
    machine.sda_sweep.push_back(sda.at("sweep")[i].as_number());
  read_instructions(beside(path, root.at("instructions").as_string()),
                    root.at("version").as_string(), machine);
  std::sort(machine.forms.begin(), machine.forms.end(),
            [](const Form& a, const Form& b) { return a.key < b.key; });
  for (size_t i = 0; i < machine.forms.size(); ++i) {
    if (!machine.by_key_.emplace(machine.forms[i].key, static_cast<int>(i)).second) {
      root.at("instructions").refuse("bad-machine", "two rows for " + quoted(machine.forms[i].key));
    }
  }
  return machine;
}

std::string machine_path_of(const std::string& config_path) {
  const JsonDocument document = document_of(config_path);
  const JsonValue root = document.root();
  if (!root.has("packer")) return config_path;
  const std::string& name = root.at("packer").as_string();
  const std::string own = beside(config_path, name);
  std::error_code none;
  // The copy of a description that a tree keeps has no file of a packer beside it.
  const bool comes_with_burin =
      !std::filesystem::exists(own, none) && !embedded_files("configs/" + name).empty();
  return comes_with_burin ? "configs/" + name : own;
}

}  // namespace burin::vliw
