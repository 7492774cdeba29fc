#include "vliw/pipeline_emit.h"

#include <algorithm>
#include <bit>

#include "vliw/block_schedule.h"
#include "vliw/effects.h"

namespace burin::vliw {
namespace {

int ceil_div(int a, int b) { return a > 0 ? (a + b - 1) / b : -(-a / b); }

struct Instance {
  int time = 0, iteration = 0, unit = 0;
  auto operator<=>(const Instance&) const = default;
};

class Emitter {
 public:
  explicit Emitter(const PipelineParts& parts)
      : parts_(parts), ii_(parts.schedule.ii), stages_(parts.schedule.stages) {}

  std::optional<Pipelined> run(std::string& reason) {
    if (!kernel() || !guards() || !prologue() || !epilogue()) {
      reason = reason_;
      return std::nullopt;
    }
    out_.schedule = parts_.schedule;
    out_.unroll = parts_.unroll;
    return std::move(out_);
  }

 private:
  bool fail(const std::string& why) {
    reason_ = why;
    return false;
  }

  int start(int u) const { return parts_.schedule.start[static_cast<size_t>(u)]; }

  // The instruction with its offset for `ahead` steps of its pointer that it should have seen and
  // has not. False if it does not take the offset in the same words.
  bool adjust(Instruction& i, int64_t ahead, int64_t step) const {
    if (ahead == 0) return true;
    Operand& offset = i.operands[static_cast<size_t>(address_of(i).offset)];
    const int words = words_of(i);
    const int64_t unit = i.form->vector_access ? i.form->bytes : 1;
    offset.value += ahead * step / unit;
    offset.text = std::to_string(offset.value);
    constexpr int64_t kLeast = -8, kMost = 7;  // of whole vectors
    if (i.form->vector_access && (offset.value < kLeast || offset.value > kMost)) return false;
    return words_of(i) == words;
  }

  const Stepping& stepping(int u) const {
    const Instruction& i = parts_.body[static_cast<size_t>(u)];
    const int base = i.operands[static_cast<size_t>(address_of(i).base)].first;
    return *parts_.graph.stepping[static_cast<size_t>(base)];
  }

  bool kernel() {
    std::vector<Instruction> body = parts_.body;
    for (int u = 0; u < size(); ++u) {
      if (!parts_.graph.moves_offset[static_cast<size_t>(u)]) continue;
      const Stepping& by = stepping(u);
      // of iteration 0, counted without an end on both sides
      const int seen = ceil_div(start(u) - start(by.unit), ii_);
      const int wanted = by.unit < u ? 1 : 0;
      if (!adjust(body[static_cast<size_t>(u)], wanted - seen, by.step))
        return fail("an offset leaves its range");
    }
    for (int slot = 0; slot < ii_; ++slot) {
      std::vector<ModuloPackets::Member> members;
      for (int u = 0; u < size(); ++u) {
        if (start(u) % ii_ == slot) members.push_back({u, -(start(u) / ii_)});
      }
      Packet packet;
      if (members.empty()) {
        packet.instructions.push_back(parse_instruction("nop", parts_.machine, 0, 0));
        packet.end_loop0 = slot + 1 == ii_;
      } else {
        std::optional<Packet> made = parts_.packets.make(members, slot + 1 == ii_, body);
        if (!made) return fail("a packet does not hold its offsets");
        packet = std::move(*made);
      }
      packet.line = parts_.loop.body[0].line;
      out_.kernel.push_back(std::move(packet));
    }
    if (loop_cost(out_.kernel, parts_.machine).cycles != ii_) return fail("a stall in the kernel");
    return true;
  }

  int size() const { return static_cast<int>(parts_.body.size()); }

  // Instances [first, end) of the flat schedule of `stages` iterations, as a sequence.
  bool sequence(int first, int end, Block& block) {
    std::vector<Instance> all;
    for (int i = 0; i < stages_; ++i) {
      for (int u = 0; u < size(); ++u) {
        const int time = start(u) + i * ii_;
        if (time < stages_ * ii_ + stages_ * ii_) all.push_back({time, i, u});
      }
    }
    std::sort(all.begin(), all.end());
    std::vector<int> done(static_cast<size_t>(size()), 0);
    for (const Instance& x : all) {
      const auto k = static_cast<size_t>(x.unit);
      if (x.time >= first && x.time < end) {
        Instruction i = parts_.body[k];
        if (parts_.graph.moves_offset[k]) {
          const Stepping& by = stepping(x.unit);
          const int wanted = x.iteration + (by.unit < x.unit ? 1 : 0);
          if (!adjust(i, wanted - done[static_cast<size_t>(by.unit)], by.step))
            return fail("an offset leaves its range");
        }
        add(block, std::move(i));
      }
      ++done[k];
    }
    return true;
  }

  static void add(Block& block, Instruction i) {
    Unit unit;
    unit.instructions.push_back(std::move(i));
    block.units.push_back(std::move(unit));
  }

  void add(Block& block, const std::string& text) const {
    add(block, parse_instruction(text, parts_.machine, parts_.loop.body[0].line, 1));
  }

  static std::string number(int64_t value, int64_t least, int64_t most) {
    return (value < least || value > most ? "##" : "#") + std::to_string(value);
  }

  // The next free register of a file; empty if there is none.
  std::string take(int from, int count) {
    for (int r = from; r < from + count; ++r) {
      if (!free_.has(r)) continue;
      free_.remove(r);
      return name_of_register(r);
    }
    return {};
  }

  int unroll() const { return parts_.unroll; }

  // Bytes between the two pointers that `stages` iterations may span.
  int64_t window(int a, int b) const {
    const auto range = [&](const LoopAccess& x) {
      const int64_t moved =
          (stages_ - 1) * *parts_.graph.per_iteration[static_cast<size_t>(x.root)];
      return std::pair(x.low + std::min<int64_t>(0, moved), x.high + std::max<int64_t>(0, moved));
    };
    int64_t most = 0;
    const std::vector<LoopAccess> accesses = loop_accesses(parts_.loop.body);
    for (const LoopAccess& x : accesses) {
      for (const LoopAccess& y : accesses) {
        if (x.root != a || y.root != b) continue;
        const auto [low, high] = range(x);
        const auto [other_low, other_high] = range(y);
        most = std::max({most, std::abs(other_low - high), std::abs(other_high - low)});
      }
    }
    return most;
  }

  // The register of the trip count; where the code has written over it, one that reads it back.
  bool take_count(Block& block) {
    count_ = parts_.loop.count;
    for (int r = kScalar + 28; r >= kScalar && count_ < 0; --r) {
      if (!parts_.loop.free.has(r)) continue;
      count_ = r;
      free_.remove(r);
      add(block, name_of_register(r) + " = lc0");
    }
    return count_ >= 0 || fail("no register is free for its trip count");
  }

  // A pair of pointers whose distance a guard compares.
  struct Distance {
    int a = 0, b = 0;
    std::string compare;    // the comparison
    bool leave_if = false;  // the value of it for which the short loop runs
    std::vector<std::string> before;
  };

  bool measure(Distance& d) {
    const Loop& loop = parts_.loop;
    const int64_t s = *parts_.graph.per_iteration[static_cast<size_t>(d.a)];
    const int64_t t = *parts_.graph.per_iteration[static_cast<size_t>(d.b)];
    const bool may = s == t && stages_ == 1 && parts_.machine.aligned_accesses;
    if (const int64_t size = may ? size_of_meeting(loop.body, d.a, d.b) : 0; size > 0) {
      out_.apart.push_back({d.a, d.b, size - 1, 0, 0, size});
      d.compare = " = cmp.eq(" + name_of_register(d.a) + "," + name_of_register(d.b) + ")";
      d.leave_if = true;
      return true;
    }
    const std::string in = take(kScalar, 29);
    if (in.empty()) return fail("no register is free for its guard");
    const int64_t apart = window(d.a, d.b);
    if (apart >= int64_t{1} << 28) return fail("its pointers step too far");
    out_.apart.push_back({d.a, d.b, apart, 0, 0, 0});
    // In one step where the numbers need no words of their own, else by the distance.
    constexpr int64_t kShort = 255;
    if (s == t && apart <= kShort) {
      d.before = {in + " = add(" + name_of_register(d.a) + ",sub(" + number(apart, -32, 31) + "," +
                  name_of_register(d.b) + "))"};
      d.compare = " = cmp.gtu(" + in + ",#" + std::to_string(2 * apart) + ")";
      return true;
    }
    d.before = {in + " = sub(" + name_of_register(d.a) + "," + name_of_register(d.b) + ")",
                in + " = abs(" + in + ")"};
    if (s == t) {
      d.compare = " = cmp.gtu(" + in + "," + number(apart, 0, 511) + ")";
      return true;
    }
    const auto gain = static_cast<uint64_t>(s < t ? t - s : s - t);
    const int shift = std::max(1, static_cast<int>(std::bit_width(gain - 1)));
    if (shift > 20) return fail("its pointers step too far");
    const int64_t room = (apart >> shift) + 1;
    out_.apart.back().shift = shift;
    out_.apart.back().room = room;
    d.before.push_back(in + " = lsr(" + in + ",#" + std::to_string(shift) + ")");
    if (loop.trips) {
      d.compare = " = cmp.gtu(" + in + "," + number(*loop.trips + room, 0, 511) + ")";
      return true;
    }
    const std::string most = take(kScalar, 29);
    if (most.empty()) return fail("no register is free for its guard");
    d.before.push_back(most + " = add(" + name_of_register(count_) + "," +
                       number(room, -32768, 32767) + ")");
    d.compare = " = cmp.gtu(" + in + "," + most + ")";
    return true;
  }

  // One block computes what needs no condition and compares the trip count; then two distances a
  // block, so that their comparisons and jumps share a packet.
  bool guards() {
    const Loop& loop = parts_.loop;
    const int64_t least = int64_t{stages_} * unroll();
    if (loop.trips && *loop.trips < least) return fail("fewer iterations than stages");
    free_ = loop.free;
    if (parts_.graph.apart.empty() && (loop.trips || least == 1)) return true;
    // First those that the jump in front does not read, so that guards may stand above it.
    std::vector<std::string> predicates, last;
    for (std::string p = take(kPredicate, 4); !p.empty(); p = take(kPredicate, 4)) {
      const bool read = loop.decides.has(kPredicate + (p[1] - '0'));
      (read ? last : predicates).push_back(p);
    }
    predicates.insert(predicates.end(), last.begin(), last.end());
    if (predicates.empty()) return fail("no predicate is free for its guard");
    Block first;
    if (!loop.trips && !take_count(first)) return false;
    if (!loop.trips && unroll() == 2 && !count_kernels(first)) return false;
    std::vector<Distance> distances;
    for (const auto& [a, b] : parts_.graph.apart) {
      Distance d;
      d.a = a;
      d.b = b;
      if (!measure(d)) return false;
      for (const std::string& text : d.before) add(first, text);
      distances.push_back(std::move(d));
    }
    const auto jump_unless = [&](Block& block, const std::string& predicate,
                                 const std::string& label, bool unless = true) {
      add(block, std::string(unless ? "if (!" : "if (") + predicate + ") jump:nt " + label);
    };
    const std::string& away = parts_.labels.short_loop;
    size_t next = 0;
    if (!loop.trips && least > 1) {
      add(first, predicates[0] + " = cmp.gt(" + name_of_register(count_) + "," +
                     number(least - 1, -512, 511) + ")");
      jump_unless(first, predicates[0], away);
      out_.guards.push_back(std::move(first));
      first = {};
    } else if (!loop.trips && std::any_of(out_.apart.begin(), out_.apart.end(),
                                          [](const auto& g) { return g.shift != 0; })) {
      add(first, predicates[0] + " = cmp.gt(" + name_of_register(count_) + ",#0)");
      jump_unless(first, predicates[0], away);
      out_.guards.push_back(std::move(first));
      first = {};
    }
    while (next < distances.size()) {
      const size_t end = std::min({next + 2, next + predicates.size(), distances.size()});
      for (size_t k = next; k < end; ++k) add(first, predicates[k - next] + distances[k].compare);
      for (size_t k = next; k < end; ++k)
        jump_unless(first, predicates[k - next], away, !distances[k].leave_if);
      out_.guards.push_back(std::move(first));
      first = {};
      next = end;
    }
    if (!loop.trips && unroll() == 2) {
      add(first, predicates[0] + " = tstbit(" + name_of_register(count_) + ",#0)");
      jump_unless(first, predicates[0], parts_.labels.even);
      out_.guards.push_back(std::move(first));
    }
    add(out_.short_setup,
        "loop0(" + parts_.labels.short_body + "," +
            (loop.trips ? number(*loop.trips, 0, 1023) : name_of_register(count_)) + ")");
    return true;
  }

  // The kernel's trip count for two iterations a kernel, before any iteration runs.
  bool count_kernels(Block& block) {
    kernels_ = take(kScalar, 29);
    if (kernels_.empty()) return fail("no register is free for its trip count");
    add(block, kernels_ + " = lsr(" + name_of_register(count_) + ",#1)");
    if (stages_ > 1)
      add(block, kernels_ + " = add(" + kernels_ + ",#" + std::to_string(1 - stages_) + ")");
    return true;
  }

  bool prologue() {
    const Loop& loop = parts_.loop;
    if (unroll() == 2 && (!loop.trips || *loop.trips % 2 != 0)) {
      const std::vector<Instruction> once(
          loop.body.begin(), loop.body.begin() + static_cast<std::ptrdiff_t>(loop.body.size() / 2));
      out_.peeled = block_of(once);
    }
    if (stages_ == 1 && unroll() == 1) return true;  // the set-up stays as it is
    if (loop.trips) {
      add(out_.prologue, "loop0(" + loop.label + "," +
                             number(*loop.trips / unroll() - stages_ + 1, 0, 1023) + ")");
    } else if (unroll() == 2) {
      add(out_.prologue, "loop0(" + loop.label + "," + kernels_ + ")");
    } else {
      const std::string count = name_of_register(count_);
      RegisterSet held = loop.live_in | loop.live_out;
      for (const Instruction& i : loop.body) held |= effects_of(i).reads | effects_of(i).writes;
      const std::string less = held.has(count_) ? take(kScalar, 29) : count;
      if (less.empty()) return fail("no register is free for its trip count");
      // where the guards do not need the count any more, or it stays as it is beside them
      Block& block = less == count || out_.guards.empty() ? out_.prologue : out_.guards[0];
      Unit unit;
      unit.instructions.push_back(
          parse_instruction(less + " = add(" + count + ",#" + std::to_string(1 - stages_) + ")",
                            parts_.machine, loop.body[0].line, 1));
      const size_t jumps = &block == &out_.prologue ? 0 : jumps_of(block);
      block.units.insert(block.units.end() - static_cast<std::ptrdiff_t>(jumps), std::move(unit));
      add(out_.prologue, "loop0(" + loop.label + "," + less + ")");
    }
    if (!sequence(0, (stages_ - 1) * ii_, out_.prologue)) return false;
    // The label of the set-up reaches 63 words without a constant extender.
    constexpr int kNear = 56;
    int words = 0;
    for (const Unit& unit : out_.prologue.units) words += words_of(unit.instructions[0]);
    for (Unit& unit : out_.prologue.units) {
      if (words > kNear && unit.instructions[0].form->is(kLoop0))
        unit.instructions[0].operands[0].extended = true;
    }
    return true;
  }

  static size_t jumps_of(const Block& block) {
    size_t count = 0;
    for (const Unit& unit : block.units) count += changes_flow(unit.instructions[0]) ? 1 : 0;
    return count;
  }

  bool epilogue() {
    if (!sequence(stages_ * ii_, 2 * stages_ * ii_, out_.epilogue)) return false;
    return true;
  }

  const PipelineParts& parts_;
  int ii_, stages_;
  int count_ = -1;       // register of the trip count
  RegisterSet free_;     // for the guards
  std::string kernels_;  // register of the kernel's trip count
  Pipelined out_;
  std::string reason_;
};

}  // namespace

std::optional<Pipelined> emit_pipeline(const PipelineParts& parts, std::string& reason) {
  return Emitter(parts).run(reason);
}

}  // namespace burin::vliw
