#include "vliw/checker/symbols.h"

#include <algorithm>

#include "vliw/machine.h"

namespace burin::vliw {
namespace {

// "memw(R+#)=R.new" -> "memw(R+#)=R"; hints of jumps mean nothing.
std::string plain_name(const Instruction& instruction) {
  std::string key = key_of(instruction);
  for (const std::string_view drop : {".new", ".cur", ":nt", ":t"}) {
    for (size_t at = key.find(drop); at != std::string::npos; at = key.find(drop, at)) {
      const size_t end = at + drop.size();
      const bool whole = end == key.size() || !std::isalnum(static_cast<unsigned char>(key[end]));
      if (whole)
        key.erase(at, drop.size());
      else
        at = end;
    }
  }
  return key;
}

bool meet(const Touch& a, const Touch& b) {
  if (!a.known || !b.known || a.root != b.root) return true;
  if (a.line && b.line) {
    const int64_t gap = a.address < b.address ? b.address - a.address : a.address - b.address;
    return gap < b.high - b.address;
  }
  return !(a.high <= b.low || b.high <= a.low);
}

bool conditional(const Form& form) { return form.is(kIfTrue | kIfFalse); }

}  // namespace

// One instruction of a packet, worked out before anything is written.
struct SymbolicRun::Part {
  const Instruction* instruction = nullptr;
  std::string name;
  std::vector<int> operands;  // values read, in text order, then implicit ones
  int predicate = -1;         // its value, if conditional
  bool sense = true;
  Touch touch;
  bool load = false, store = false;
  std::array<int, kRegisterCount> written;  // new value per register, -1: none
  bool sticky = false;
  int result = -1;
};

SymbolicRun::SymbolicRun(Values& values, const Machine& machine)
    : values_(values), machine_(machine) {
  restart();
}

// Both programs were the same when control could leave; so both may go on from fresh symbols.
void SymbolicRun::restart() {
  left_ = false;
  state_ = {};
  for (int r = 0; r < kRegisterCount; ++r)
    state_.registers[static_cast<size_t>(r)] = values_.start(r);
}

Event SymbolicRun::snapshot(std::string what, std::vector<int> operands, int line) const {
  Event event;
  event.what = std::move(what);
  event.operands = std::move(operands);
  event.registers = state_.registers;
  event.sticky = state_.sticky;
  for (const Touch& store : state_.stores) event.stores.push_back(store.value);
  std::sort(event.stores.begin(), event.stores.end());
  event.line = line;
  return event;
}

SymbolicRun::Part SymbolicRun::prepare(const Instruction& instruction,
                                       const std::vector<Instruction>& all,
                                       const std::vector<Part>& done) const {
  Part part;
  part.instruction = &instruction;
  part.written.fill(-1);
  part.name = plain_name(instruction);
  const Form& form = *instruction.form;
  // .new reads what an instruction of the packet writes; .cur and .tmp loads are seen by all of it
  const auto value_of = [&](int r, bool fresh) {
    int value = state_.registers[static_cast<size_t>(r)];
    for (size_t i = 0; i < done.size(); ++i) {
      const Part& other = done[i];
      if (other.instruction == &instruction || other.written[static_cast<size_t>(r)] < 0) continue;
      const bool shown =
          all[i].form->is(kCurrentLoad | kTemporaryLoad) && all[i].operands[0].set.has(r);
      if (fresh || shown) value = other.written[static_cast<size_t>(r)];
    }
    return part.predicate >= 0 ? values_.under(value, part.predicate, part.sense) : value;
  };
  // The predicate first: what a conditional instruction reads, it reads under its condition.
  for (size_t k = 0; k < instruction.operands.size() && conditional(form) && part.predicate < 0;
       ++k) {
    if (instruction.operands[k].kind != 'P' || form.roles[k].role != 's') continue;
    part.predicate = value_of(instruction.operands[k].first,
                              suffix_of(instruction, static_cast<int>(k)) == "new");
    part.sense = form.is(kIfTrue);
  }
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const Operand& operand = instruction.operands[k];
    const char role = form.roles[k].role;
    if (operand.kind == 'i' || operand.kind == '@') {
      part.name += "|" + operand.text;
      continue;
    }
    if (role != 's' && role != 'x') continue;
    const bool fresh = suffix_of(instruction, static_cast<int>(k)) == "new";
    for (int r = 0; r < kRegisterCount; ++r) {
      if (!operand.set.has(r)) continue;
      const int value = value_of(r, fresh);
      part.operands.push_back(value);
      if (r == kSticky)
        part.operands.insert(part.operands.end(), state_.sticky.begin(), state_.sticky.end());
    }
  }
  for (int r = 0; r < kRegisterCount; ++r) {
    if (form.uses.has(r)) part.operands.push_back(value_of(r, false));
  }
  part.load = form.is(kLoad);
  part.store = form.is(kStore);
  if ((part.load || part.store) && form.base >= 0 && form.bytes > 0) {
    const int base = instruction.operands[static_cast<size_t>(form.base)].first;
    const int64_t scale = form.vector_access ? form.bytes : 1;
    const Operand* offset =
        form.offset >= 0 ? &instruction.operands[static_cast<size_t>(form.offset)] : nullptr;
    if (base >= 0 && (offset == nullptr || form.post_increment || offset->has_value)) {
      const auto [root, constant] = values_.split(value_of(base, false));
      part.touch.known = true;
      part.touch.root = root;
      part.touch.address =
          constant + (offset != nullptr && !form.post_increment ? offset->value * scale : 0);
      part.touch.line = form.aligned_vector;
      part.touch.low = part.touch.address - (form.aligned_vector ? form.bytes - 1 : 0);
      part.touch.high = part.touch.address + form.bytes;
      // The same address by another base and offset is the same access: name what is touched
      // instead.
      part.name = part.name.substr(0, part.name.find('|'));
      part.operands.erase(
          std::remove(part.operands.begin(), part.operands.end(), value_of(base, false)),
          part.operands.end());
      part.operands.push_back(part.touch.root);
      part.name += "@" + std::to_string(part.touch.address);
      for (size_t k = 0; k < instruction.operands.size(); ++k) {
        const Operand& operand = instruction.operands[k];
        if (operand.kind == 'i' && static_cast<int>(k) != form.offset)
          part.name += "|" + operand.text;
        const bool base_again =
            operand.set.has(base) && form.roles[k].role == 's' && static_cast<int>(k) != form.base;
        if (base_again)
          part.operands.push_back(
              value_of(base, suffix_of(instruction, static_cast<int>(k)) == "new"));
      }
      const size_t plus = part.name.find("++#");
      if (plus != std::string::npos) part.name.replace(plus, 3, "+#");
    }
  }
  return part;
}

void SymbolicRun::step(const Packet& packet, bool loop_ends, std::vector<Event>& events) {
  // A jump alone behind a jump changes nothing: the two may have been one packet.
  size_t jumps = 0, others = 0;
  for (const Instruction& i : packet.instructions) {
    if (!i.unknown() && i.form->key == "nop") continue;
    const bool jump =
        !i.unknown() && i.form->is(kJump) && i.form->key.find(';') == std::string::npos;
    (jump ? jumps : others) += 1;
  }
  if (left_ && (others > 0 || jumps > 1)) restart();
  const bool known = std::none_of(packet.instructions.begin(), packet.instructions.end(),
                                  [](const Instruction& i) { return i.unknown(); });
  if (!known) {  // anything may happen: both programs must come here in the same state
    const std::string what = "packet " + print_packet(packet);
    events.push_back(snapshot(what, {}, packet.line));
    for (int r = 0; r < kRegisterCount; ++r)
      state_.registers[static_cast<size_t>(r)] = values_.operation("unknown", {calls_}, r);
    ++calls_;
    state_.stores.clear();
    left_ = true;
    if (loop_ends && packet.end_loop0) events.push_back(snapshot("endloop0", {}, packet.line));
    return;
  }
  // Compounds are two instructions.
  std::vector<Instruction> all;
  for (const Instruction& i : packet.instructions) {
    const std::string text = i.text();
    const size_t cut = text.find(';');
    if (cut == std::string::npos) {
      all.push_back(i);
    } else {
      all.push_back(
          parse_instruction(std::string_view(text).substr(0, cut), machine_, i.line, i.column));
      all.push_back(
          parse_instruction(std::string_view(text).substr(cut + 1), machine_, i.line, i.column));
    }
  }
  // Producers of .new and .cur come first, so that their values are known to consumers.
  std::vector<size_t> order(all.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto rank = [&](size_t i) {
    const Form& form = *all[i].form;
    int r = 1;
    if (form.is(kCurrentLoad | kTemporaryLoad)) r = 0;
    if (form.is(kStore)) r = form.vector_access ? 5 : 4;  // vectors reach memory last
    if (form.is(kJump | kCall)) r = 6;
    for (size_t k = 0; k < all[i].operands.size(); ++k) {
      if (suffix_of(all[i], static_cast<int>(k)) == "new" && r < 4) r = 2;
    }
    return r;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rank(a) < rank(b); });
  std::vector<Part> parts;
  std::vector<Instruction> sorted;
  sorted.reserve(all.size());
  for (const size_t i : order) sorted.push_back(all[i]);
  const std::vector<Touch> stores_before = state_.stores;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const Instruction& instruction = sorted[i];
    const Form& form = *instruction.form;
    Part part = prepare(instruction, sorted, parts);
    std::vector<int> operands = part.operands;
    if (part.load || part.store) {
      // Loads of a packet come before its stores, unless the text order is asked for.
      std::vector<int> earlier;
      for (const Touch& store :
           packet.memory_in_order || part.store ? state_.stores : stores_before) {
        if (meet(store, part.touch)) earlier.push_back(store.value);
      }
      std::sort(earlier.begin(), earlier.end());
      operands.push_back(-1 - calls_);  // memory before a call is not memory after it
      operands.insert(operands.end(), earlier.begin(), earlier.end());
    }
    const bool copy = part.name == "R=R",
               add = form.key == "R=add(R,#)" && instruction.operands[2].has_value;
    RegisterSet targets = form.defs;
    int output = 0;
    for (size_t k = 0; k < instruction.operands.size(); ++k) {
      const char role = form.roles[k].role;
      if (role != 'd' && role != 'x') continue;
      for (int r = 0; r < kRegisterCount; ++r) {
        if (!instruction.operands[k].set.has(r)) continue;
        int value = values_.operation(part.name, operands, output++);
        if (copy) value = part.operands[0];
        if (add) value = values_.plus(part.operands[0], instruction.operands[2].value);
        const bool steps =
            form.post_increment && static_cast<int>(k) == form.base && form.offset >= 0;
        if (steps) {
          const Operand& by = instruction.operands[static_cast<size_t>(form.offset)];
          int before = state_.registers[static_cast<size_t>(r)];
          if (part.predicate >= 0) before = values_.under(before, part.predicate, part.sense);
          value = by.has_value
                      ? values_.plus(before, by.value * (form.vector_access ? form.bytes : 1))
                      : values_.operation("step|" + by.text, {before}, 0);
        }
        part.written[static_cast<size_t>(r)] = value;
        targets.remove(r);
      }
    }
    for (int r = 0; r < kRegisterCount; ++r) {
      if (targets.has(r) && r != kSticky)
        part.written[static_cast<size_t>(r)] = values_.operation(part.name, operands, 100 + r);
    }
    part.sticky = form.defs.has(kSticky);
    part.result = values_.operation(part.name, operands, 99);
    if (conditional(form)) {
      for (int r = 0; r < kRegisterCount; ++r) {
        int& value = part.written[static_cast<size_t>(r)];
        if (value < 0) continue;
        int old = state_.registers[static_cast<size_t>(r)];
        for (const Part& other : parts) {
          if (other.predicate >= 0 && other.written[static_cast<size_t>(r)] >= 0)
            old = other.written[static_cast<size_t>(r)];
        }
        value = values_.choice(part.predicate, part.sense, value, old);
      }
    }
    if (part.store) {
      Touch store = part.touch;
      store.value = part.result;
      state_.stores.push_back(store);
    }
    parts.push_back(std::move(part));
  }
  // Two compares of one predicate are anded; otherwise the last conditional writer holds the
  // choice.
  std::array<int, kRegisterCount> before = state_.registers;
  for (const Part& part : parts) {
    for (int r = 0; r < kRegisterCount; ++r) {
      const int value = part.written[static_cast<size_t>(r)];
      if (value < 0 || part.instruction->form->is(kTemporaryLoad)) continue;
      int& now = state_.registers[static_cast<size_t>(r)];
      const bool anded = r >= kPredicate && r < kVectorPredicate &&
                         now != before[static_cast<size_t>(r)] && part.predicate < 0;
      now =
          anded ? values_.operation("and", {std::min(now, value), std::max(now, value)}, 0) : value;
      if (r == kSticky) state_.sticky.clear();
    }
  }
  for (const Part& part : parts) {
    if (!part.sticky) continue;
    const auto at = std::lower_bound(state_.sticky.begin(), state_.sticky.end(), part.result);
    if (at == state_.sticky.end() || *at != part.result) state_.sticky.insert(at, part.result);
  }
  for (const Part& part : parts) {
    const Form& form = *part.instruction->form;
    if (form.is(kJump | kCall | kSolo | kSoloAx))
      events.push_back(snapshot(part.name, part.operands, packet.line));
    left_ = left_ || form.is(kJump | kCall);
    if (!form.is(kCall | kSolo | kSoloAx)) continue;
    for (int r = 0; r < kRegisterCount; ++r) {
      int& value = state_.registers[static_cast<size_t>(r)];
      if (form.is(kCall))
        value = values_.operation("after call " + std::to_string(calls_), {value}, r);
    }
    ++calls_;
    state_.stores.clear();
    state_.sticky.clear();
  }
  if (loop_ends && (packet.end_loop0 || packet.end_loop1)) {
    left_ = true;
    events.push_back(
        snapshot(packet.end_loop0 ? packet.end_loop1 ? "endloop01" : "endloop0" : "endloop1", {},
                 packet.line));
  }
}

}  // namespace burin::vliw
