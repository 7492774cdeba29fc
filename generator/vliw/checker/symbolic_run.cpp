#include "vliw/checker/symbolic_run.h"

#include <algorithm>
#include <deque>

#include "vliw/machine.h"

namespace burin::vliw {
namespace {

// "memw(R+#)=R.new" -> "memw(R+#)=R"; hints of jumps mean nothing.
std::string plain_name(std::string key) {
  for (const std::string_view drop : {".new", ".cur", ".tmp", ":nt", ":t"}) {
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

bool conditional(const Form& form) { return form.is(kIfTrue | kIfFalse); }

bool fresh_operand(const Instruction& instruction, size_t k) {
  return suffix_of(instruction, static_cast<int>(k)) == "new";
}

// The order in which the instructions of a packet are worked out: what others read as .new or see
// as .cur first, loads before stores, vector stores last, jumps behind everything.
int rank_of(const Packet& packet, const Instruction& instruction) {
  const Form& form = *instruction.form;
  if (form.is(kJump | kCall)) return 6;
  if (packet.memory_in_order && form.is(kLoad | kStore) && !form.vector_access) return 4;
  if (form.is(kStore)) return form.vector_access ? 5 : 4;
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    if (fresh_operand(instruction, k)) return 2;
  }
  return form.is(kCurrentLoad | kTemporaryLoad) ? 0 : 1;
}

// Copies: what is read goes to what is written, register by register.
bool copies(const Form& form) {
  return form.key == "R=R" || form.key == "RR=RR" || form.key == "V=V" || form.key == "VV=VV" ||
         form.key == "P=P";
}

}  // namespace

int OperationNames::of(const Form& form, bool access) {
  std::vector<int>& known = access ? access_ : plain_;
  known.resize(machine_.forms.size(), -1);
  int& name = known[static_cast<size_t>(&form - machine_.forms.data())];
  if (name >= 0) return name;
  std::string text = plain_name(form.key);
  if (const size_t plus = text.find("++#"); access && plus != std::string::npos)
    text.replace(plus, 3, "+#");
  return name = values_.name(text);
}

bool same_but(const Event& a, const Event& b, const RegisterSet& unread) {
  Event other = b;
  for (int r = 0; r < kRegisterCount; ++r) {
    const auto k = static_cast<size_t>(r);
    if (unread.has(r)) other.registers[k] = a.registers[k];
  }
  return a == other;
}

// One instruction of a packet, worked out before anything is written.
struct SymbolicRun::Part {
  const Instruction* instruction = nullptr;
  int name = 0;
  std::vector<int> operands;  // values read, in text order, then tags, then memory
  std::vector<int> tags;      // what else says what it computes: immediates
  size_t read = 0;            // operands before those of memory
  int predicate = -1;         // its value, if conditional
  bool sense = true;
  Touch touch;
  bool load = false, store = false;
  std::array<int, kRegisterCount> written;  // new value per register, -1: none
  bool sticky = false;
  int result = -1;
};

SymbolicRun::SymbolicRun(Values& values, OperationNames& names, const Machine& machine)
    : values_(values), names_(names), machine_(machine) {
  restart();
}

// Both programs were the same when control could leave; so both may go on from fresh symbols.
void SymbolicRun::restart() {
  left_ = false;
  for (int r = 0; r < kRegisterCount; ++r)
    state_.registers[static_cast<size_t>(r)] = values_.start(r);
  state_.sticky = {};
  state_.stores.clear();
}

Event SymbolicRun::snapshot(int what, std::vector<int> operands, int line) const {
  return {what, std::move(operands), state_.registers, state_.sticky, state_.stores.all(), line};
}

// .new reads what an instruction of the packet writes; .cur and .tmp loads are seen by all of it.
int SymbolicRun::value_for(const Part& part, int r, bool fresh,
                           const std::vector<Part>& done) const {
  int value = state_.registers[static_cast<size_t>(r)];
  for (const Part& other : done) {
    if (other.written[static_cast<size_t>(r)] < 0) continue;
    const Instruction& i = *other.instruction;
    const bool shown = i.form->is(kCurrentLoad | kTemporaryLoad) && i.operands[0].set.has(r);
    if (fresh || shown) value = other.written[static_cast<size_t>(r)];
  }
  return part.predicate >= 0 ? values_.under(value, part.predicate, part.sense) : value;
}

SymbolicRun::Part SymbolicRun::prepare(const Instruction& instruction,
                                       const std::vector<Part>& done) {
  Part part;
  part.instruction = &instruction;
  part.written.fill(-1);
  const Form& form = *instruction.form;
  part.name = names_.of(form, false);
  // The predicate first: what a conditional instruction reads, it reads under its condition.
  for (size_t k = 0; k < instruction.operands.size() && conditional(form) && part.predicate < 0;
       ++k) {
    if (instruction.operands[k].kind != 'P' || form.roles[k].role != 's') continue;
    part.predicate =
        value_for(part, instruction.operands[k].first, fresh_operand(instruction, k), done);
    part.sense = form.is(kIfTrue);
  }
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const Operand& operand = instruction.operands[k];
    const char role = form.roles[k].role;
    const bool immediate = operand.kind == 'i' || operand.kind == '@';
    if (immediate) part.tags.push_back(values_.tag(operand.text));
    if (immediate || (role != 's' && role != 'x')) continue;
    operand.set.each([&](int r) {
      part.operands.push_back(value_for(part, r, fresh_operand(instruction, k), done));
      if (r == kSticky) append(part.tags, state_.sticky);
    });
  }
  form.uses.each([&](int r) { part.operands.push_back(value_for(part, r, false, done)); });
  part.load = form.is(kLoad);
  part.store = form.is(kStore);
  if ((part.load || part.store) && form.base >= 0 && form.bytes > 0) name_access(part, done);
  part.operands.insert(part.operands.end(), part.tags.begin(), part.tags.end());
  part.read = part.operands.size();
  return part;
}

// The same address by another base and offset is the same access: what is touched goes into the
// operands instead of the two.
void SymbolicRun::name_access(Part& part, const std::vector<Part>& done) {
  const Instruction& instruction = *part.instruction;
  const Form& form = *instruction.form;
  const int base = instruction.operands[static_cast<size_t>(form.base)].first;
  const Operand* offset =
      form.offset >= 0 ? &instruction.operands[static_cast<size_t>(form.offset)] : nullptr;
  if (base < 0 || (offset != nullptr && !form.post_increment && !offset->has_value)) return;
  const int base_value = value_for(part, base, false, done);
  const auto [root, constant] = values_.split(base_value);
  const int64_t scale = form.vector_access ? form.bytes : 1;
  part.touch.known = true;
  part.touch.root = root;
  const int64_t by = offset != nullptr && !form.post_increment ? offset->value * scale : 0;
  part.touch.address = static_cast<int32_t>(static_cast<uint32_t>(constant + by));  // they wrap
  part.touch.line = form.aligned_vector;
  part.touch.low = part.touch.address - (form.aligned_vector ? form.bytes - 1 : 0);
  part.touch.high = part.touch.address + form.bytes;
  part.name = names_.of(form, true);
  std::erase(part.operands, base_value);
  part.operands.push_back(root);
  part.tags = {values_.tag("@" + std::to_string(part.touch.address))};
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const Operand& operand = instruction.operands[k];
    if (operand.kind == 'i' && static_cast<int>(k) != form.offset)
      part.tags.push_back(values_.tag(operand.text));
    const bool again =
        operand.set.has(base) && form.roles[k].role == 's' && static_cast<int>(k) != form.base;
    if (again) part.operands.push_back(value_for(part, base, fresh_operand(instruction, k), done));
  }
}

// Loads of a packet come before its stores, unless the text order is asked for.
void SymbolicRun::see_memory(const Packet& packet, Part& part, const std::vector<Part>& done) {
  std::vector<int> own;
  ValueSet others = state_.stores.before(part.touch, own);
  if (part.store || packet.memory_in_order) {
    for (const Part& other : done) {
      if (!other.store || !meet(other.touch, part.touch, state_.stores.apart())) continue;
      if (part.touch.known && other.touch.known && part.touch.root == other.touch.root)
        own.push_back(other.result);
      else
        others.add(other.result);
    }
    std::sort(own.begin(), own.end());
  }
  part.operands.push_back(values_.tag("memory"));
  part.operands.push_back(calls_);  // memory before a call is not memory after it
  append(part.operands, others);
  part.operands.insert(part.operands.end(), own.begin(), own.end());
}

// The values that the instruction writes, before its condition.
void SymbolicRun::compute(Part& part, const std::vector<Part>& done) {
  const Instruction& instruction = *part.instruction;
  const Form& form = *instruction.form;
  const bool copy = copies(form),
             add = form.key == "R=add(R,#)" && instruction.operands[2].has_value;
  RegisterSet targets = form.defs;
  int output = 0;
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const char role = form.roles[k].role;
    if (role != 'd' && role != 'x') continue;
    const bool steps = form.post_increment && static_cast<int>(k) == form.base && form.offset >= 0;
    instruction.operands[k].set.each([&](int r) {
      int value = values_.operation(part.name, part.operands, output++);
      if (copy) value = part.operands[static_cast<size_t>(output) - 1];
      if (add) value = values_.plus(part.operands[0], instruction.operands[2].value);
      if (steps) {
        const Operand& by = instruction.operands[static_cast<size_t>(form.offset)];
        int before = state_.registers[static_cast<size_t>(r)];
        if (part.predicate >= 0) before = values_.under(before, part.predicate, part.sense);
        value = by.has_value
                    ? values_.plus(before, by.value * (form.vector_access ? form.bytes : 1))
                    : values_.operation(values_.name("step"), {before, values_.tag(by.text)}, 0);
      }
      part.written[static_cast<size_t>(r)] = value;
      targets.remove(r);
    });
  }
  part.sticky = form.defs.has(kSticky);
  targets.remove(kSticky);
  targets.each([&](int r) {
    part.written[static_cast<size_t>(r)] = values_.operation(part.name, part.operands, 100 + r);
  });
  part.result = values_.operation(part.name, part.operands, 99);
  if (!conditional(form)) return;
  for (int r = 0; r < kRegisterCount; ++r) {
    int& value = part.written[static_cast<size_t>(r)];
    if (value < 0) continue;
    int old = state_.registers[static_cast<size_t>(r)];
    for (const Part& other : done) {
      if (other.predicate >= 0 && other.written[static_cast<size_t>(r)] >= 0)
        old = other.written[static_cast<size_t>(r)];
    }
    value = values_.choice(part.predicate, part.sense, value, old);
  }
}

void SymbolicRun::commit(const std::vector<Part>& parts) {
  // Two compares of one predicate are anded; otherwise the last conditional writer holds the
  // choice.
  const std::array<int, kRegisterCount> before = state_.registers;
  for (const Part& part : parts) {
    const bool temporary = part.instruction->form->is(kTemporaryLoad);
    for (int r = 0; r < kRegisterCount; ++r) {
      const int value = part.written[static_cast<size_t>(r)];
      if (value < 0 || (temporary && part.instruction->operands[0].set.has(r))) continue;
      int& now = state_.registers[static_cast<size_t>(r)];
      const bool anded = r >= kPredicate && r < kVectorPredicate &&
                         now != before[static_cast<size_t>(r)] && part.predicate < 0;
      now = anded ? values_.operation(values_.name("and"),
                                      {std::min(now, value), std::max(now, value)}, 0)
                  : value;
      if (r == kSticky) state_.sticky = {};
    }
  }
  for (const Part& part : parts) {
    if (part.sticky) state_.sticky.add(part.result);
    if (part.load && watched_) loads_.push_back(part.result);
    if (watched_ && part.touch.known && part.predicate < 0 &&
        !part.instruction->form->vector_access)
      touched_.push_back(part.touch);
    if (!part.store) continue;
    Touch store = part.touch;
    store.value = part.result;
    state_.stores.add(store);
  }
}

// "if(cmp.eq(R,#))jump@" is a compare and a jump on its predicate, which is written nowhere: named
// like the two, so that they are the same to a comparison.
int SymbolicRun::as_two(const Form& form, int name, std::vector<int>& read) {
  const std::string& key = form.key;
  const size_t compare =
      key.find("cmp.") != std::string::npos ? key.find("cmp.") : key.find("tstbit");
  if (!form.is(kJump) || key.rfind("if(", 0) != 0 || compare == std::string::npos || read.empty())
    return name;
  const size_t end = key.find("))");
  if (end == std::string::npos) return name;
  const std::string text = "P=" + plain_name(key.substr(compare, end + 1 - compare));
  const int target = read.back();
  read.pop_back();
  const int predicate = values_.operation(values_.name(text), read, 0);
  read = {predicate, target};
  return values_.name(key[3] == '!' ? "if(!P)jump@" : "if(P)jump@");
}

// Changes of flow, and what may not be moved: both programs must be there in the same state.
void SymbolicRun::leave(const Packet& packet, const std::vector<Part>& parts,
                        std::vector<Event>& events) {
  for (const Part& part : parts) {
    const Form& form = *part.instruction->form;
    if (form.is(kJump | kCall | kSolo | kSoloAx)) {
      std::vector<int> read(part.operands.begin(),
                            part.operands.begin() + static_cast<std::ptrdiff_t>(part.read));
      const int what = as_two(form, part.name, read);
      events.push_back(snapshot(what, std::move(read), packet.line));
    }
    left_ = left_ || form.is(kJump | kCall);
    if (!form.is(kCall | kSolo | kSoloAx)) continue;
    if (form.is(kCall)) {
      const int name = values_.name("after call");
      for (int r = 0; r < kRegisterCount; ++r) {
        int& value = state_.registers[static_cast<size_t>(r)];
        value = values_.operation(name, {calls_, value}, r);
      }
    }
    ++calls_;
    state_.stores.clear();
    state_.sticky = {};
  }
}

// Anything may happen: both programs must come here in the same state.
void SymbolicRun::step_unknown(const Packet& packet, std::vector<Event>& events) {
  events.push_back(snapshot(values_.name("packet " + print_packet(packet)), {}, packet.line));
  for (int r = 0; r < kRegisterCount; ++r) {
    state_.registers[static_cast<size_t>(r)] =
        values_.operation(values_.name("unknown"), {calls_}, r);
  }
  ++calls_;
  state_.stores.clear();
  left_ = true;
}

void SymbolicRun::step(const Packet& packet, std::vector<Event>& events) {
  // Jumps alone behind a jump change nothing: some of them may have been in its packet.
  size_t others = 0;
  bool unknown = false;
  for (const Instruction& i : packet.instructions) {
    unknown = unknown || i.unknown();
    if (!i.unknown() && i.form->key == "nop") continue;
    const bool jump =
        !i.unknown() && i.form->is(kJump) && i.form->key.find(';') == std::string::npos;
    others += jump ? 0 : 1;
  }
  if (left_ && !watched_ && others > 0) restart();
  const auto loop_ends = [&] {
    if (!packet.end_loop0 && !packet.end_loop1) return;
    const char* what = packet.end_loop0 ? packet.end_loop1 ? "endloop01" : "endloop0" : "endloop1";
    left_ = true;
    events.push_back(snapshot(values_.name(what), {}, packet.line));
  };
  if (unknown) {
    step_unknown(packet, events);
    return loop_ends();
  }
  Instructions all;
  std::deque<Instruction> halves;  // compounds are two instructions
  for (const Instruction& i : packet.instructions) {
    if (i.form->key.find(';') == std::string::npos) {
      all.push_back(&i);
      continue;
    }
    const std::string text = i.text();
    const std::string_view view = text;
    const size_t cut = view.find(';');
    for (const std::string_view half : {view.substr(0, cut), view.substr(cut + 1)})
      all.push_back(&halves.emplace_back(parse_instruction(half, machine_, i.line, i.column)));
  }
  std::stable_sort(all.begin(), all.end(), [&](const Instruction* a, const Instruction* b) {
    return rank_of(packet, *a) < rank_of(packet, *b);
  });
  std::vector<Part> parts;
  for (const Instruction* instruction : all) {
    Part part = prepare(*instruction, parts);
    if (part.load || part.store) see_memory(packet, part, parts);
    compute(part, parts);
    parts.push_back(std::move(part));
  }
  commit(parts);
  leave(packet, parts, events);
  loop_ends();
}

bool loads_are_among(std::vector<int> some, std::vector<int> all) {
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  std::sort(all.begin(), all.end());
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace burin::vliw
