#include "vliw/checker/reads.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace burin::vliw {
namespace {

constexpr size_t kElsewhere = static_cast<size_t>(-1);  // a loop start that this file did not set

RegisterSet all_registers() {
  RegisterSet all;
  for (int r = 0; r < kRegisterCount; ++r) all.add(r);
  return all;
}

// Scratch registers of the calling convention that hold no result.
bool scratch(int r) {
  if (r >= kScalar + 6 && r <= kScalar + 15) return true;
  if (r == kScalar + 28) return true;
  if (r >= kVector + 4 && r < kVector + 32) return true;
  if (r >= kPredicate && r < kModifier) return true;
  return (r >= kLoopCount0 && r <= kLoopStart1) || r == kLoopConfig;
}

RegisterSet read_by_callers() {
  RegisterSet read;
  for (int r = 0; r < kRegisterCount; ++r) {
    if (!scratch(r)) read.add(r);
  }
  return read;
}

bool is_return(const Instruction& i) {
  if (i.form->key.find("dealloc_return") != std::string::npos) return true;
  return i.form->key.find("jumpr") != std::string::npos && i.operands.back().set.has(kScalar + 31);
}

// Lines of which nothing is executed and behind which control goes on: of all others (calls of
// macros, data, included text, sections, conditions) anything may be true.
bool passes(const Item& item) {
  if (item.kind == Item::Kind::kLabel) return true;
  static const std::set<std::string> kPassed = {
      ".p2align", ".align", ".balign",    ".falign",   ".loc",     ".file",       ".ident", ".size",
      ".type",    ".globl", ".global",    ".local",    ".weak",    ".hidden",     ".set",   ".equ",
      ".comm",    ".lcomm", ".protected", ".internal", ".addrsig", ".addrsig_sym"};
  size_t from = 0;
  while (from < item.text.size() && (item.text[from] == ' ' || item.text[from] == '\t')) ++from;
  size_t to = from;
  while (to < item.text.size() && item.text[to] != ' ' && item.text[to] != '\t') ++to;
  const std::string word = item.text.substr(from, to - from);
  if (word.empty() || word.compare(0, 2, "//") == 0) return true;
  for (const char c : item.text) {
    if (c == ';') return false;
  }
  return kPassed.count(word) != 0 || word.compare(0, 5, ".cfi_") == 0;
}

// Which labels are named other than by jumps and set-ups of loops, so that control may come to them
// from anywhere: counts all that the text names and takes off what is a known way.
class OpenLabels {
 public:
  OpenLabels(const Module& module, const std::map<std::string, size_t>& labels) {
    for (const auto& [name, item] : labels) left_[name] = plain(name) ? 0 : 1;
    for (const Item& item : module.items) {
      if (item.kind == Item::Kind::kDirective) count(item.text);
      for (const Instruction& i : item.packet.instructions) {
        count(i.text());
        if (i.unknown() || !i.form->is(kJump | kLoop0 | kLoop1)) continue;
        for (const Operand& operand : i.operands) {
          const auto at = operand.kind == '@' ? left_.find(operand.text) : left_.end();
          if (at != left_.end()) --at->second;
        }
      }
    }
  }
  bool has(const std::string& name) const { return left_.at(name) != 0; }

 private:
  static bool word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '$';
  }
  static bool plain(const std::string& name) {
    for (const char c : name) {
      if (!word(c)) return false;
    }
    return name.compare(0, 2, ".L") == 0;
  }
  void count(const std::string& text) {
    std::string name;
    for (const char c : text + '\n') {
      if (word(c)) {
        name += c;
        continue;
      }
      const auto at = name.empty() ? left_.end() : left_.find(name);
      if (at != left_.end()) ++at->second;
      name.clear();
    }
  }
  std::map<std::string, int> left_;
};

bool conditional_jump(const Form& form) { return form.key.find("if(") != std::string::npos; }

}  // namespace

Reads::Reads(const Module& module, bool by_convention)
    : module_(module), by_convention_(by_convention) {
  for (size_t i = 0; i < module.items.size(); ++i) {
    if (module.items[i].kind == Item::Kind::kLabel) labels_[module.items[i].text] = i;
  }
  for (const Item& item : module.items) {
    steps_.push_back(item.kind == Item::Kind::kPacket ? step_of(item.packet) : Step{});
    if (item.kind != Item::Kind::kPacket) steps_.back().all = !passes(item);
  }
  std::vector<size_t> entries = {0};  // where control may come from outside
  const OpenLabels open_labels(module, labels_);
  for (const auto& [name, item] : labels_) {
    if (open_labels.has(name)) entries.push_back(item);
  }
  follow_loops(0, entries);
  follow_loops(1, entries);
}

Reads::Step Reads::step_of(const Packet& packet) const {
  Step step;
  RegisterSet shown;  // what all of the packet sees as its vector loads leave it
  for (const Instruction& i : packet.instructions) {
    if (!i.unknown() && i.form->is(kCurrentLoad | kTemporaryLoad)) shown |= i.operands[0].set;
  }
  for (const Instruction& i : packet.instructions) {
    if (i.unknown()) step.all = true;
    if (i.unknown()) continue;
    if (i.form->is(kCall | kSystem)) step.leaves = all_registers();
    const bool maybe = i.form->is(kIfTrue | kIfFalse) && i.form->key.find(';') == std::string::npos;
    step.reads |= i.form->uses;
    if (!maybe) step.writes |= i.form->defs;
    for (size_t k = 0; k < i.operands.size(); ++k) {
      const char role = i.form->roles[k].role;
      const bool inside = suffix_of(i, static_cast<int>(k)) == "new" || role == 'n';
      if ((role == 's' || role == 'x') && !inside) step.reads |= i.operands[k].set - shown;
      if ((role == 'd' || role == 'x' || role == 'f') && !maybe && !i.form->is(kTemporaryLoad))
        step.writes |= i.operands[k].set;
    }
    if (!i.form->is(kJump)) continue;
    if (!conditional_jump(*i.form)) step.falls_through = false;
    bool known = false;
    for (const Operand& operand : i.operands) {
      const auto at = operand.kind == '@' ? labels_.find(operand.text) : labels_.end();
      if (at == labels_.end()) continue;
      step.jumps.push_back(at->second);
      known = true;
    }
    if (!known) step.leaves |= by_convention_ && is_return(i) ? read_by_callers() : all_registers();
  }
  // Control leaves behind the packet's writes: who it goes to sees those, not what was there.
  step.reads |= step.leaves - step.writes;
  if (packet.end_loop0) {
    step.reads.add(kLoopCount0);
    step.reads.add(kLoopStart0);
  }
  if (packet.end_loop1) {
    step.reads.add(kLoopCount1);
    step.reads.add(kLoopStart1);
  }
  return step;
}

// The start of a loop that a packet leaves in place of the one before it; nothing: it sets none.
std::optional<size_t> Reads::start_after(const Packet& packet, int level) const {
  const uint32_t trait = level == 0 ? kLoop0 : kLoop1;
  const int start = level == 0 ? kLoopStart0 : kLoopStart1;
  std::optional<size_t> after;
  for (const Instruction& i : packet.instructions) {
    bool writes = i.unknown() || i.form->is(kCall) || i.form->defs.has(start);
    for (size_t k = 0; !writes && k < i.operands.size(); ++k)
      writes = i.operands[k].set.has(start) && i.form->roles[k].role == 'd';
    if (!writes) continue;
    after = kElsewhere;
    if (i.unknown() || !i.form->is(trait)) continue;
    const auto at = labels_.find(i.operands[0].text);
    if (at != labels_.end()) after = at->second;
  }
  return after;
}

// Which starts a loop's end may go back to: walks every way from every place that is entered from
// outside with the start that was set last.
void Reads::follow_loops(int level, const std::vector<size_t>& entries) {
  const size_t n = module_.items.size();
  std::vector<std::vector<size_t>> seen(n);  // few each
  std::vector<std::pair<size_t, size_t>> open;
  const auto visit = [&](size_t item, size_t value) {
    if (item >= n || std::find(seen[item].begin(), seen[item].end(), value) != seen[item].end())
      return;
    seen[item].push_back(value);
    open.push_back({item, value});
  };
  std::vector<std::optional<size_t>> starts(n);
  for (size_t i = 0; i < n; ++i) {
    const Item& item = module_.items[i];
    if (item.kind == Item::Kind::kPacket)
      starts[i] = start_after(item.packet, level);
    else if (!passes(item))
      starts[i] = kElsewhere;
  }
  for (const size_t item : entries) visit(item, kElsewhere);
  while (!open.empty()) {
    const auto [item, value] = open.back();
    open.pop_back();
    const size_t after = starts[item].value_or(value);
    const Packet& packet = module_.items[item].packet;
    const Step& step = steps_[item];
    if (step.falls_through) visit(item + 1, after);
    for (const size_t to : step.jumps) visit(to, after);
    if ((level == 0 ? packet.end_loop0 : packet.end_loop1) && after != kElsewhere)
      visit(after, after);
  }
  for (size_t i = 0; i < n; ++i) {
    const Packet& packet = module_.items[i].packet;
    if (!(level == 0 ? packet.end_loop0 : packet.end_loop1)) continue;
    if (seen[i].empty()) steps_[i].all = true;  // nobody knows how it is entered
    for (const size_t value : seen[i]) {
      if (value == kElsewhere)
        steps_[i].all = true;
      else
        steps_[i].jumps.push_back(value);
    }
  }
}

RegisterSet Reads::behind(size_t item) const {
  const Step& step = steps_[item];
  if (step.all) return all_registers();
  RegisterSet found = step.leaves;
  if (step.falls_through) found |= from(item + 1);
  for (const size_t to : step.jumps) found |= from(to);
  return found;
}

RegisterSet Reads::taken(size_t item) const {
  const Step& step = steps_[item];
  if (step.all || (step.jumps.empty() && step.leaves.empty())) return all_registers();
  RegisterSet found = step.leaves;
  for (const size_t to : step.jumps) found |= from(to);
  return found;
}

RegisterSet Reads::from(size_t item) const {
  RegisterSet found;
  std::map<size_t, RegisterSet> seen;
  std::vector<std::pair<size_t, RegisterSet>> open = {{item, all_registers()}};
  while (!open.empty()) {
    const auto [at, wanted] = open.back();
    open.pop_back();
    const RegisterSet fresh = (wanted - seen[at]) - found;
    if (fresh.empty()) continue;
    seen[at] |= fresh;
    if (at >= steps_.size()) {
      found |= fresh;
      continue;
    }
    const Step& step = steps_[at];
    if (step.all) {
      found |= fresh;
      continue;
    }
    found |= fresh & step.reads;
    const RegisterSet left = (fresh - step.reads) - step.writes;
    if (step.falls_through) open.push_back({at + 1, left});
    for (const size_t to : step.jumps) open.push_back({to, left});
  }
  return found;
}

}  // namespace burin::vliw
