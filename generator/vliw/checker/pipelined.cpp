#include "vliw/checker/pipelined.h"

#include <algorithm>
#include <array>
#include <optional>

#include "vliw/checker/symbols.h"
#include "vliw/machine.h"

namespace burin::vliw {
namespace {

// A loop0 that was met: its label and its count, a constant or a value.
struct SetUp {
  std::string label;
  std::optional<int64_t> constant;
  int value = -1;
};

using Events = std::vector<Event>;

class Judge {
 public:
  Judge(const PipelinedJudge& all, const PipelinedClaim& claim)
      : all_(all), claim_(claim), names_(values_, all.machine) {}

  std::vector<Violation> run(const Stretch& original_before, const Stretch& original_loop,
                             const std::vector<Stretch>& packed, Stretch& original_tail,
                             Stretch& packed_tail, size_t& used) {
    if (!cut(original_before, original_loop, packed, original_tail, packed_tail, used))
      return std::move(violations_);
    if (entry() && short_loop() && peeled() && induction() && names_are_private()) return {};
    return std::move(violations_);
  }

 private:
  bool fail(const Stretch& where, const std::string& message) {
    violations_.push_back({where.line, 1, "pipelined", claim_.label + ": " + message});
    return false;
  }

  static size_t end_of_loop(const Stretch& stretch) {
    for (size_t k = 0; k < stretch.packets.size(); ++k) {
      if (stretch.packets[k]->end_loop0) return k + 1;
    }
    return 0;
  }

  // Finds the parts in both texts.
  bool cut(const Stretch& original_before, const Stretch& original_loop,
           const std::vector<Stretch>& packed, Stretch& original_tail, Stretch& packed_tail,
           size_t& used) {
    const bool guarded = !claim_.short_loop.empty();
    const size_t needed = 2 + (claim_.even.empty() ? 0 : 1) + (guarded ? 3 : 0);
    used = needed;
    if (packed.size() < needed) return fail(original_loop, "its parts are missing");
    if (packed[0].anchors != original_before.anchors)
      return fail(packed[0], "labels and directives are not those of the original");
    if (claim_.stages < 1 || claim_.unroll < 1 || claim_.unroll > 2)
      return fail(packed[0], "a claim that makes no sense");
    body_ = original_loop.part(0, end_of_loop(original_loop));
    original_tail = original_loop.part(body_.packets.size(), original_loop.packets.size());
    if (body_.packets.empty()) return fail(original_loop, "no end of the loop");
    original_pre_ = original_before;
    // in front of the kernel
    Stretch front = packed[0];
    size_t at = 1;
    const auto count = [](int n) { return static_cast<size_t>(std::max(0, n)); };
    if (claim_.even.empty()) {
      const size_t size = front.packets.size();
      const size_t prologue = std::min(size, count(claim_.prologue_packets));
      const size_t peeled = std::min(size - prologue, count(claim_.peeled_packets));
      prologue_ = front.part(size - prologue, size);
      peeled_ = front.part(size - prologue - peeled, size - prologue);
      packed_pre_ = front.part(0, size - prologue - peeled);
    } else {
      if (packed[1].anchors != std::vector<std::string>{"label " + claim_.even})
        return fail(packed[1], "not the label of the prologue");
      prologue_ = packed[1];
      const size_t size = front.packets.size();
      const size_t peeled = std::min(size, count(claim_.peeled_packets));
      peeled_ = front.part(size - peeled, size);
      packed_pre_ = front.part(0, size - peeled);
      ++at;
    }
    const Stretch& loop = packed[at++];
    if (loop.anchors != original_loop.anchors || !plain(loop.anchors))
      return fail(loop, "the kernel is not at the loop's label");
    kernel_ = loop.part(0, end_of_loop(loop));
    if (kernel_.packets.empty()) return fail(loop, "no end of the kernel");
    kernel_item_ = kernel_.items[0];
    const size_t behind = kernel_.packets.size() + count(claim_.epilogue_packets);
    epilogue_ = loop.part(kernel_.packets.size(), behind);
    packed_tail = loop.part(behind, loop.packets.size());
    tail_item_ = body_.items.back() + 1;
    if (!guarded) return true;
    if (!packed_tail.packets.empty()) return fail(loop, "packets behind the epilogue");
    const Stretch &set_up = packed[at], &body = packed[at + 1], &tail = packed[at + 2];
    if (set_up.anchors != std::vector<std::string>{"label " + claim_.short_loop} ||
        body.anchors != std::vector<std::string>{"label " + claim_.short_body} ||
        tail.anchors.empty() || tail.anchors[0] != "label " + claim_.done)
      return fail(set_up, "not the labels of its short loop");
    short_setup_ = set_up;
    short_body_ = body;
    packed_tail = tail;
    packed_tail.anchors.erase(packed_tail.anchors.begin());
    return true;
  }

  // Nothing but alignment and the loop's label, so that control falls into it.
  bool plain(const std::vector<std::string>& anchors) const {
    return std::all_of(anchors.begin(), anchors.end(), [&](const std::string& anchor) {
      return anchor == "label " + claim_.label || anchor.find(".p2align") != std::string::npos;
    });
  }

  // Runs packets; notes set-ups; a write to the loop registers by anything else forgets them.
  void walk(SymbolicRun& run, const Stretch& stretch, Events& events,
            std::optional<SetUp>& set_up) {
    for (const Packet* packet : stretch.packets) {
      for (const Instruction& i : packet->instructions) {
        if (i.unknown() || i.form->is(kCall)) set_up.reset();
        if (i.unknown()) continue;
        if (i.form->is(kLoop0)) {
          SetUp found{i.operands[0].text, {}, -1};
          const Operand& by = i.operands[1];
          if (by.has_value)
            found.constant = by.value;
          else
            found.value = run.state().registers[static_cast<size_t>(std::max(0, by.first))];
          set_up = found;
          continue;
        }
        for (size_t k = 0; k < i.operands.size(); ++k) {
          const char role = i.form->roles[k].role;
          if ((role == 'd' || role == 'x') &&
              (i.operands[k].set.has(kLoopCount0) || i.operands[k].set.has(kLoopStart0)))
            set_up.reset();
        }
      }
      run.step(*packet, events);
    }
  }

  SymbolicRun fresh() {
    SymbolicRun run(values_, names_, all_.machine);
    run.watch();
    return run;
  }

  int apply(const std::string& name, std::vector<int> operands) {
    return values_.operation(values_.name(name), operands, 0);
  }

  // From the anchors before the loop to the kernel, in both texts.
  bool entry() {
    SymbolicRun original = fresh(), packed = fresh();
    Events events, packed_events;
    std::optional<SetUp> set_up, packed_set_up;
    walk(original, original_pre_, events, set_up);
    walk(packed, packed_pre_, packed_events, packed_set_up);
    if (!set_up || set_up->label != claim_.label)
      return fail(packed_pre_, "the original does not set up this loop");
    if (set_up->constant) set_up->constant = std::max<int64_t>(1, *set_up->constant);
    trips_ = *set_up;
    if (!trips_.constant) {  // as it was, or read back
      const int count = original.state().registers[static_cast<size_t>(kLoopCount0)];
      counts_ = {trips_.value, apply("R=C", {count})};
    }
    if (packed_events.size() < events.size())
      return fail(packed_pre_, "another number of changes of flow");
    for (size_t e = 0; e < events.size(); ++e) {
      if (!(events[e] == packed_events[e]))
        return fail(packed_pre_, "differs at '" + values_.text(packed_events[e].what) + "'");
    }
    // What the original still reads must be there, whatever else the guards used.
    live_in_ = all_.original_reads.from(body_.items[0]);
    loop_registers(live_in_);
    if (!same(original, packed, live_in_, packed_pre_)) return false;
    guards_.assign(packed_events.begin() + static_cast<std::ptrdiff_t>(events.size()),
                   packed_events.end());
    if (!guards(original)) return false;
    // The kernel's own set-up.
    short_run_.emplace(packed);
    std::optional<SetUp> kernel = packed_set_up;
    Events more;
    std::optional<SetUp> none;
    SymbolicRun into = packed;
    walk(into, peeled_, more, none);
    kernel_set_up_.reset();
    walk(into, prologue_, more, kernel_set_up_);
    if (!more.empty()) return fail(prologue_, "a change of flow in the prologue");
    return counts(packed_set_up);
  }

  // Count and start are compared as set-ups, not as registers; the configuration is always the
  // same.
  static void loop_registers(RegisterSet& set) {
    for (const int r : {kLoopCount0, kLoopStart0, kLoopConfig}) set.remove(r);
  }

  bool same(const SymbolicRun& a, const SymbolicRun& b, const RegisterSet& set,
            const Stretch& where) {
    for (int r = 0; r < kRegisterCount; ++r) {
      const auto k = static_cast<size_t>(r);
      if (set.has(r) && a.state().registers[k] != b.state().registers[k])
        return fail(where, name_of_register(r) + " differs");
    }
    if (a.state().stores.all() != b.state().stores.all()) return fail(where, "memory differs");
    if (a.state().sticky != b.state().sticky) return fail(where, "sticky bits differ");
    return true;
  }

  // Each change of flow behind the original's must be a jump away on one of the conditions.
  bool guards(const SymbolicRun& original) {
    std::vector<bool> known(claim_.guards.size(), false);
    bool enough = false, parity = false;
    for (const Event& e : guards_) {
      const std::string& what = values_.text(e.what);
      if (what != "if(!P)jump@" || e.operands.size() != 2)
        return fail(packed_pre_, "'" + what + "' is no guard");
      if (parity) return fail(packed_pre_, "a guard behind the test for odd counts");
      const int predicate = e.operands[0];
      if (!claim_.even.empty() && e.operands[1] == values_.tag(claim_.even)) {
        if (!is_one(
                [&](int n) {
                  return apply("P=tstbit(R,#)", {n, values_.tag("0")});
                },
                predicate))
          return fail(packed_pre_, "not the test for odd counts");
        parity = true;
        continue;
      }
      if (claim_.short_loop.empty() || e.operands[1] != values_.tag(claim_.short_loop))
        return fail(packed_pre_, "a jump to somewhere else");
      const int least = values_.tag(std::to_string(least_trips() - 1));
      if (is_one([&](int n) { return apply("P=cmp.gt(R,#)", {n, least}); }, predicate)) {
        enough = true;
        continue;
      }
      bool found = false;
      for (size_t g = 0; g < claim_.guards.size(); ++g) {
        if (!guards_with(claim_.guards[g], original, predicate)) continue;
        known[g] = true;
        found = true;
      }
      if (!found) return fail(packed_pre_, "a guard that says nothing");
    }
    if (trips_.constant)
      enough = *trips_.constant >= least_trips();
    else if (least_trips() == 1)  // a guard that compares with the count needs a positive one
      enough = enough || std::all_of(claim_.guards.begin(), claim_.guards.end(),
                                     [](const PipelinedClaim::Guard& g) { return g.shift == 0; });
    if (!enough) return fail(packed_pre_, "nothing makes sure that there are enough iterations");
    if (!claim_.even.empty() && !parity) return fail(packed_pre_, "no test for odd counts");
    if (!std::all_of(known.begin(), known.end(), [](bool b) { return b; }))
      return fail(packed_pre_, "nothing makes sure that its pointers are apart");
    return true;
  }

  int64_t least_trips() const { return int64_t{claim_.stages} * claim_.unroll; }

  // Is this what is made of the trip count?
  template <typename Make>
  bool is_one(const Make& make, int value) const {
    return std::any_of(counts_.begin(), counts_.end(), [&](int n) { return make(n) == value; });
  }

  bool guards_with(const PipelinedClaim::Guard& guard, const SymbolicRun& run, int predicate) {
    const auto at = [&](int r) { return run.state().registers[static_cast<size_t>(r)]; };
    const int distance = apply("R=abs(R)", {apply("R=sub(R,R)", {at(guard.a), at(guard.b)})});
    if (guard.shift == 0) {
      return predicate ==
             apply("P=cmp.gtu(R,#)", {distance, values_.tag(std::to_string(guard.window))});
    }
    const int units = values_.plus(
        apply("R=lsr(R,#)", {distance, values_.tag(std::to_string(guard.shift))}), -guard.room);
    if (trips_.constant) {
      return predicate ==
             apply("P=cmp.gt(R,#)", {units, values_.tag(std::to_string(*trips_.constant))});
    }
    return is_one([&](int n) { return apply("P=cmp.gt(R,R)", {units, n}); }, predicate);
  }

  // The kernel's set-up against the original's.
  bool counts(const std::optional<SetUp>& before) {
    const bool plain = claim_.stages == 1 && claim_.unroll == 1;
    const std::optional<SetUp>& kernel = kernel_set_up_ ? kernel_set_up_ : before;
    if (!kernel || kernel->label != claim_.label) return fail(prologue_, "no set-up of the kernel");
    const int less = claim_.stages - 1;
    if (trips_.constant) {
      const int64_t odd = *trips_.constant % claim_.unroll;
      if ((claim_.peeled_packets > 0) != (odd != 0))
        return fail(prologue_, "an odd iteration is missing or too many");
      const int64_t wanted = *trips_.constant / claim_.unroll - less;
      const bool right = kernel->constant && std::max<int64_t>(1, *kernel->constant) == wanted;
      return right || fail(prologue_, "the kernel has another trip count");
    }
    if ((claim_.unroll == 2) != (claim_.peeled_packets > 0 && !claim_.even.empty()))
      return fail(prologue_, "an odd iteration is missing");
    const auto made = [&](int n) {
      return values_.plus(claim_.unroll == 1 ? n : apply("R=lsr(R,#)", {n, values_.tag("1")}),
                          -less);
    };
    const bool right =
        !kernel->constant && is_one(made, kernel->value) && (plain || kernel_set_up_);
    return right || fail(prologue_, "the kernel has another trip count");
  }

  // The copy of the original behind the guards.
  bool short_loop() {
    if (claim_.short_loop.empty()) return true;
    std::optional<SetUp> set_up;
    Events events;
    SymbolicRun run = *short_run_;
    walk(run, short_setup_, events, set_up);
    RegisterSet all = everything_but_loops();
    if (!events.empty() || !set_up || set_up->label != claim_.short_body)
      return fail(short_setup_, "not a set-up of the short loop");
    if (!same(*short_run_, run, all, short_setup_)) return false;
    const bool count =
        trips_.constant
            ? set_up->constant && std::max<int64_t>(1, *set_up->constant) == *trips_.constant
            : is_one([](int n) { return n; }, set_up->value);
    if (!count) return fail(short_setup_, "the short loop has another trip count");
    if (end_of_loop(short_body_) != short_body_.packets.size() || short_body_.packets.empty())
      return fail(short_body_, "packets behind the short loop");
    return is_body(short_body_);
  }

  static RegisterSet everything_but_loops() {
    RegisterSet all;
    for (int r = 0; r < kRegisterCount; ++r) all.add(r);
    loop_registers(all);
    return all;
  }

  bool is_body(const Stretch& copy) {
    std::optional<SymbolicRun> a = straight(body_, 1, {}), b = straight(copy, 1, {});
    return a && b && same(*a, *b, everything_but_loops(), copy);
  }

  // An iteration in front of the prologue.
  bool peeled() { return peeled_.packets.empty() || is_body(peeled_); }

  // Runs parts from any state, one behind the other, so often; nothing, and a violation, if control
  // may leave or the loop registers are touched.
  std::optional<SymbolicRun> straight(const Stretch& part, int times,
                                      std::optional<SymbolicRun> from, bool jumps_at_end = false) {
    SymbolicRun run = from ? std::move(*from) : fresh();
    if (!from) run.assume(apart_);
    for (int k = 0; k < times; ++k) {
      for (const Packet* packet : part.packets) {
        if (!calm(*packet, jumps_at_end && packet == part.packets.back())) {
          fail(part, "an instruction that a pipelined loop may not hold");
          return std::nullopt;
        }
        Events events;
        run.step(*packet, events);
      }
    }
    return run;
  }

  // No change of flow (but, where `jump` says so, the one to behind the short loop), nothing that
  // stands alone, no loop registers beside set-ups.
  bool calm(const Packet& packet, bool jump) const {
    if (packet.end_loop1) return false;
    for (const Instruction& i : packet.instructions) {
      if (i.unknown()) return false;
      if (jump && i.form->key == "jump@" && i.operands[0].text == claim_.done) continue;
      if (i.form->is(kJump | kCall | kSolo | kSoloAx | kLoop1)) return false;
      if (i.form->is(kLoop0)) continue;
      RegisterSet named = i.form->uses | i.form->defs;
      for (const Operand& operand : i.operands) named |= operand.set;
      for (const int r : {kLoopCount0, kLoopStart0, kLoopConfig, kOther, kVectorTemporary}) {
        if (named.has(r)) return false;
      }
    }
    return true;
  }

  static bool sets_up(const Stretch& part) {
    for (const Packet* packet : part.packets) {
      for (const Instruction& i : packet->instructions) {
        if (!i.unknown() && i.form->is(kLoop0)) return true;
      }
    }
    return false;
  }

  bool induction() {
    if (sets_up(body_) || sets_up(kernel_) || sets_up(epilogue_) || sets_up(peeled_))
      return fail(kernel_, "a set-up inside the loop");
    if (!distances()) return false;
    RegisterSet inside = all_.packed_reads.from(kernel_item_);
    loop_registers(inside);
    RegisterSet behind = all_.original_reads.from(tail_item_);
    if (behind.has(kLoopCount0) || behind.has(kLoopStart0))
      return fail(kernel_, "its loop registers are read behind it");
    loop_registers(behind);
    const int rest = claim_.unroll * (claim_.stages - 1);
    // step
    std::optional<SymbolicRun> start = straight(prologue_, 1, {});
    if (!start) return false;
    std::optional<SymbolicRun> packed = straight(kernel_, 1, start);
    std::optional<SymbolicRun> ahead = straight(body_, claim_.unroll, {});
    if (!packed || !ahead) return false;
    const std::optional<SymbolicRun> original = straight(prologue_, 1, std::move(ahead));
    if (!original || !same(*original, *packed, inside, kernel_)) return false;
    if (!loads_of(*packed, *original)) return fail(kernel_, "a load that the original does not do");
    // end
    const bool guarded = !claim_.short_loop.empty();
    const std::optional<SymbolicRun> last = straight(epilogue_, 1, start, guarded);
    const std::optional<SymbolicRun> all = straight(body_, rest, {});
    if (!last || !all || !same(*all, *last, behind, epilogue_)) return false;
    if (!loads_of(*last, *all)) return fail(epilogue_, "a load that the original does not do");
    if (guarded && !jumps_to_done()) return fail(epilogue_, "it falls into the short loop");
    return true;
  }

  bool jumps_to_done() const {
    if (epilogue_.packets.empty()) return false;
    const std::vector<Instruction>& last = epilogue_.packets.back()->instructions;
    return std::any_of(last.begin(), last.end(),
                       [](const Instruction& i) { return i.form->key == "jump@"; });
  }

  // Every load of a is one of b's.
  static bool loads_of(const SymbolicRun& a, const SymbolicRun& b) {
    std::vector<int> some = a.loads(), all = b.loads();
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    std::sort(all.begin(), all.end());
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  }

  // What the guards say at the start holds at the start of every iteration.
  bool distances() {
    apart_.clear();
    std::optional<SymbolicRun> once = straight(body_, 1, {});
    if (!once) return false;
    for (const PipelinedClaim::Guard& guard : claim_.guards) {
      std::array<int64_t, 2> gain{};
      const std::array<int, 2> both = {guard.a, guard.b};
      for (size_t k = 0; k < 2; ++k) {
        const int value = once->state().registers[static_cast<size_t>(both[k])];
        const auto [root, constant] = values_.split(value);
        if (root != values_.start(both[k]))
          return fail(body_, name_of_register(both[k]) + " is no pointer that steps");
        gain[k] = constant;
      }
      const int64_t change = gain[0] < gain[1] ? gain[1] - gain[0] : gain[0] - gain[1];
      const bool holds = guard.shift == 0
                             ? change == 0
                             : guard.shift > 0 && guard.shift < 28 && guard.room >= 0 &&
                                   guard.room < (int64_t{1} << 28) &&
                                   change <= (int64_t{1} << guard.shift) &&
                                   (guard.room << guard.shift) >= guard.window;
      if (!holds || guard.window < 0 || guard.window >= (int64_t{1} << 30))
        return fail(body_, "its pointers do not stay apart");
      apart_.push_back({values_.start(guard.a), values_.start(guard.b), guard.window});
    }
    return true;
  }

  // Nobody else may go to the kernel, nor to the new labels.
  bool names_are_private() {
    for (const std::string& name :
         {claim_.label, claim_.even, claim_.short_loop, claim_.short_body, claim_.done}) {
      if (name.empty()) continue;
      size_t labels = 0;
      for (const Item& item : all_.packed.items) {
        labels += item.kind == Item::Kind::kLabel && item.text == name ? 1 : 0;
        if (item.kind == Item::Kind::kDirective && names(item.text, name))
          return fail(kernel_, "a directive names " + name);
        if (item.kind != Item::Kind::kPacket) continue;
        for (const Instruction& i : item.packet.instructions) {
          for (const Operand& operand : i.operands) {
            if ((operand.kind != 'i' && operand.kind != '@') || !names(operand.text, name))
              continue;
            if (!ours(item.packet)) return fail(kernel_, name + " is named elsewhere");
          }
        }
      }
      if (labels != 1) return fail(kernel_, name + " is not one label");
    }
    return true;
  }

  bool ours(const Packet& packet) const {
    for (const Stretch* part : {&packed_pre_, &prologue_, &epilogue_, &short_setup_}) {
      if (std::find(part->packets.begin(), part->packets.end(), &packet) != part->packets.end())
        return true;
    }
    return false;
  }

  static bool names(const std::string& text, const std::string& name) {
    const auto word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
    };
    const std::string_view plain = std::string_view(text).substr(0, text.find("//"));
    for (size_t at = plain.find(name); at != std::string_view::npos;
         at = plain.find(name, at + 1)) {
      const size_t end = at + name.size();
      if ((at == 0 || !word(plain[at - 1])) && (end == plain.size() || !word(plain[end])))
        return true;
    }
    return false;
  }

  const PipelinedJudge& all_;
  const PipelinedClaim& claim_;
  Values values_;
  OperationNames names_;
  std::vector<Violation> violations_;
  Stretch original_pre_, body_;
  Stretch packed_pre_, peeled_, prologue_, kernel_, epilogue_, short_setup_, short_body_;
  size_t kernel_item_ = 0, tail_item_ = 0;
  SetUp trips_;
  std::vector<int> counts_;  // values that are the trip count, where it is no constant
  std::optional<SetUp> kernel_set_up_;
  std::optional<SymbolicRun> short_run_;
  RegisterSet live_in_;
  Events guards_;
  std::vector<Apart> apart_;
};

}  // namespace

std::vector<Violation> judge_pipelined(const PipelinedJudge& judge, const PipelinedClaim& claim,
                                       const Stretch& original_before, const Stretch& original_loop,
                                       const std::vector<Stretch>& packed, Stretch& original_tail,
                                       Stretch& packed_tail, size_t& used) {
  return Judge(judge, claim)
      .run(original_before, original_loop, packed, original_tail, packed_tail, used);
}

}  // namespace burin::vliw
