#include "vliw/checker/pipelined.h"

#include <algorithm>
#include <optional>

#include "vliw/checker/distances.h"
#include "vliw/checker/symbolic_run.h"
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
  Judge(const PipelinedJudge& all, const PipelinedClaim& claim, const PipelinedParts& parts)
      : all_(all), claim_(claim), parts_(parts), names_(values_, all.machine) {}

  std::vector<Violation> run() {
    if (!parts_.trouble.empty()) {
      fail(parts_.packed_before, parts_.trouble);
    } else if (entry() && short_loop() && peeled() && induction()) {
      const std::string elsewhere = named_elsewhere(claim_, parts_, all_.packed_names);
      if (!elsewhere.empty()) fail(parts_.kernel, elsewhere);
    }
    return std::move(violations_);
  }

 private:
  bool fail(const Stretch& where, const std::string& message) {
    violations_.push_back({where.line, 1, "pipelined", claim_.label + ": " + message});
    return false;
  }

  // Runs packets; notes set-ups; a write to the loop registers by anything else forgets them.
  void walk(SymbolicRun& run, const Stretch& stretch, Events& events, std::optional<SetUp>& set_up,
            std::vector<size_t>* items = nullptr) {
    for (size_t k = 0; k < stretch.packets.size(); ++k) {
      const Packet* packet = stretch.packets[k];
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
      if (items != nullptr) items->resize(events.size(), stretch.items[k]);
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
    std::vector<size_t> items;  // of the events
    walk(original, parts_.original_before, events, set_up, &items);
    walk(packed, parts_.packed_before, packed_events, packed_set_up);
    if (!set_up || set_up->label != claim_.label)
      return fail(parts_.packed_before, "the original does not set up this loop");
    if (set_up->constant) set_up->constant = std::max<int64_t>(1, *set_up->constant);
    trips_ = *set_up;
    if (!trips_.constant) {  // as it was, or read back
      const int count = original.state().registers[static_cast<size_t>(kLoopCount0)];
      counts_ = {trips_.value, apply("R=C", {count})};
    }
    if (packed_events.size() < events.size())
      return fail(parts_.packed_before, "another number of changes of flow");
    for (size_t e = 0; e < events.size(); ++e) {
      // Where a jump leads, what is not read may differ; below it the run goes on as it is.
      RegisterSet unread;
      for (int p = kPredicate; p < kVectorPredicate; ++p) unread.add(p);
      unread = (unread - all_.original_reads.behind(items[e])) |
               (everything() - all_.original_reads.taken(items[e]));
      if (!(events[e] == packed_events[e]) && !same_but(events[e], packed_events[e], unread))
        return fail(parts_.packed_before,
                    "differs at '" + values_.text(packed_events[e].what) + "'");
    }
    // What the original still reads must be there, whatever else the guards used.
    live_in_ = all_.original_reads.from(parts_.body.items[0]);
    loop_registers(live_in_);
    if (!same(original, packed, live_in_, parts_.packed_before)) return false;
    guards_.assign(packed_events.begin() + static_cast<std::ptrdiff_t>(events.size()),
                   packed_events.end());
    if (!guards(original) || !leave_as_they_are(packed)) return false;
    // The kernel's own set-up.
    short_run_.emplace(packed);
    std::optional<SetUp> kernel = packed_set_up;
    Events more;
    std::optional<SetUp> none;
    SymbolicRun into = packed;
    walk(into, parts_.peeled, more, none);
    kernel_set_up_.reset();
    walk(into, parts_.prologue, more, kernel_set_up_);
    if (!more.empty()) return fail(parts_.prologue, "a change of flow in the prologue");
    return counts(packed_set_up);
  }

  static RegisterSet everything() {
    RegisterSet all;
    for (int r = 0; r < kRegisterCount; ++r) all.add(r);
    return all;
  }

  // A guard may stand among what goes before it: where it leads, all that is read is there.
  bool leave_as_they_are(const SymbolicRun& packed) {
    for (const Event& e : guards_) {
      const Stretch& to = e.operands[1] == values_.tag(claim_.short_loop) ? parts_.short_setup
                                                                          : parts_.prologue;
      if (to.items.empty()) return fail(parts_.packed_before, "a guard that leads nowhere");
      RegisterSet read = all_.packed_reads.from(to.items[0]);
      loop_registers(read);
      for (int r = 0; r < kRegisterCount; ++r) {
        const auto k = static_cast<size_t>(r);
        if (read.has(r) && e.registers[k] != packed.state().registers[k])
          return fail(parts_.packed_before, name_of_register(r) + " differs at a guard");
      }
      if (e.stores != packed.state().stores.all() || e.sticky != packed.state().sticky)
        return fail(parts_.packed_before, "memory or sticky bits differ at a guard");
    }
    return true;
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
      const bool if_true = what == "if(P)jump@";
      if ((!if_true && what != "if(!P)jump@") || e.operands.size() != 2)
        return fail(parts_.packed_before, "'" + what + "' is no guard");
      if (parity) return fail(parts_.packed_before, "a guard behind the test for odd counts");
      const int predicate = e.operands[0];
      if (!if_true && !claim_.even.empty() && e.operands[1] == values_.tag(claim_.even)) {
        if (!is_one(
                [&](int n) {
                  return apply("P=tstbit(R,#)", {n, values_.tag("0")});
                },
                predicate))
          return fail(parts_.packed_before, "not the test for odd counts");
        parity = true;
        continue;
      }
      if (claim_.short_loop.empty() || e.operands[1] != values_.tag(claim_.short_loop))
        return fail(parts_.packed_before, "a jump to somewhere else");
      const int least = values_.tag(std::to_string(least_trips() - 1));
      if (!if_true &&
          is_one([&](int n) { return apply("P=cmp.gt(R,#)", {n, least}); }, predicate)) {
        enough = true;
        continue;
      }
      bool found = false;
      for (size_t g = 0; g < claim_.guards.size(); ++g) {
        if (if_true != (claim_.guards[g].aligned > 0) ||
            !compares(claim_.guards[g], original, predicate))
          continue;
        known[g] = true;
        found = true;
      }
      if (!found) return fail(parts_.packed_before, "a guard that says nothing");
    }
    if (trips_.constant)
      enough = *trips_.constant >= least_trips();
    else if (least_trips() == 1)  // a guard that compares with the count needs a positive one
      enough = enough || std::all_of(claim_.guards.begin(), claim_.guards.end(),
                                     [](const PipelinedClaim::Guard& g) { return g.shift == 0; });
    if (!enough)
      return fail(parts_.packed_before, "nothing makes sure that there are enough iterations");
    if (!claim_.even.empty() && !parity)
      return fail(parts_.packed_before, "no test for odd counts");
    if (!std::all_of(known.begin(), known.end(), [](bool b) { return b; }))
      return fail(parts_.packed_before, "nothing makes sure that its pointers are apart");
    return true;
  }

  bool compares(const PipelinedClaim::Guard& guard, const SymbolicRun& run, int predicate) {
    const TripCount trips{trips_.constant, counts_};
    return compares_distance(guard, run, predicate, trips, values_);
  }

  int64_t least_trips() const { return int64_t{claim_.stages} * claim_.unroll; }

  // Is this what is made of the trip count?
  template <typename Make>
  bool is_one(const Make& make, int value) const {
    return std::any_of(counts_.begin(), counts_.end(), [&](int n) { return make(n) == value; });
  }

  // The kernel's set-up against the original's.
  bool counts(const std::optional<SetUp>& before) {
    const bool plain = claim_.stages == 1 && claim_.unroll == 1;
    const std::optional<SetUp>& kernel = kernel_set_up_ ? kernel_set_up_ : before;
    if (!kernel || kernel->label != claim_.label)
      return fail(parts_.prologue, "no set-up of the kernel");
    const int less = claim_.stages - 1;
    if (trips_.constant) {
      const int64_t odd = *trips_.constant % claim_.unroll;
      if ((claim_.peeled_packets > 0) != (odd != 0))
        return fail(parts_.prologue, "an odd iteration is missing or too many");
      const int64_t wanted = *trips_.constant / claim_.unroll - less;
      const bool right = kernel->constant && std::max<int64_t>(1, *kernel->constant) == wanted;
      return right || fail(parts_.prologue, "the kernel has another trip count");
    }
    if ((claim_.unroll == 2) != (claim_.peeled_packets > 0 && !claim_.even.empty()))
      return fail(parts_.prologue, "an odd iteration is missing");
    const auto made = [&](int n) {
      return values_.plus(claim_.unroll == 1 ? n : apply("R=lsr(R,#)", {n, values_.tag("1")}),
                          -less);
    };
    const bool right =
        !kernel->constant && is_one(made, kernel->value) && (plain || kernel_set_up_);
    return right || fail(parts_.prologue, "the kernel has another trip count");
  }

  // The copy of the original behind the guards.
  bool short_loop() {
    if (claim_.short_loop.empty()) return true;
    std::optional<SetUp> set_up;
    Events events;
    SymbolicRun run = *short_run_;
    walk(run, parts_.short_setup, events, set_up);
    RegisterSet all = everything_but_loops();
    if (!events.empty() || !set_up || set_up->label != claim_.short_body)
      return fail(parts_.short_setup, "not a set-up of the short loop");
    if (!same(*short_run_, run, all, parts_.short_setup)) return false;
    if (claim_.away && !only_jumps_back(parts_.short_exit))
      return fail(parts_.short_exit, "not a jump behind the loop");
    const bool count =
        trips_.constant
            ? set_up->constant && std::max<int64_t>(1, *set_up->constant) == *trips_.constant
            : is_one([](int n) { return n; }, set_up->value);
    if (!count) return fail(parts_.short_setup, "the short loop has another trip count");
    if (!ends_at_its_end(parts_.short_body))
      return fail(parts_.short_body, "packets behind the short loop");
    return is_body(parts_.short_body);
  }

  bool only_jumps_back(const Stretch& part) const {
    return part.packets.size() == 1 && part.packets[0]->instructions.size() == 1 &&
           part.packets[0]->instructions[0].form->key == "jump@" &&
           part.packets[0]->instructions[0].operands[0].text == claim_.done;
  }

  static RegisterSet everything_but_loops() {
    RegisterSet all = everything();
    loop_registers(all);
    return all;
  }

  bool is_body(const Stretch& copy) {
    std::optional<SymbolicRun> a = straight(parts_.body, 1, {}), b = straight(copy, 1, {});
    return a && b && same(*a, *b, everything_but_loops(), copy);
  }

  // An iteration in front of the prologue.
  bool peeled() { return parts_.peeled.packets.empty() || is_body(parts_.peeled); }

  // Runs parts from any state, one behind the other, so often; nothing, and a violation, if control
  // may leave or the loop registers are touched.
  std::optional<SymbolicRun> straight(const Stretch& part, int times,
                                      std::optional<SymbolicRun> from, bool jumps_at_end = false) {
    SymbolicRun run = from ? std::move(*from) : fresh();
    if (!from) run.assume(apart_);
    for (int k = 0; k < times; ++k) {
      for (const Packet* packet : part.packets) {
        if (!calm(*packet, jumps_at_end && packet == part.packets.back() ? claim_.done : "")) {
          fail(part, "an instruction that a pipelined loop may not hold");
          return std::nullopt;
        }
        Events events;
        run.step(*packet, events);
      }
    }
    return run;
  }

  bool induction() {
    if (sets_up(parts_.body) || sets_up(parts_.kernel) || sets_up(parts_.epilogue) ||
        sets_up(parts_.peeled))
      return fail(parts_.kernel, "a set-up inside the loop");
    if (!distances()) return false;
    // What the next kernel reads, and what the epilogue and all behind it read of this one.
    RegisterSet inside = all_.packed_reads.from(parts_.kernel.items[0]) |
                         all_.packed_reads.from(parts_.kernel.items.back() + 1);
    loop_registers(inside);
    RegisterSet behind = all_.original_reads.from(parts_.body.items.back() + 1);
    if (behind.has(kLoopCount0) || behind.has(kLoopStart0))
      return fail(parts_.kernel, "its loop registers are read behind it");
    loop_registers(behind);
    const int rest = claim_.unroll * (claim_.stages - 1);
    // step
    std::optional<SymbolicRun> start = straight(parts_.prologue, 1, {});
    if (!start) return false;
    std::optional<SymbolicRun> packed = straight(parts_.kernel, 1, start);
    std::optional<SymbolicRun> ahead = straight(parts_.body, claim_.unroll, {});
    if (!packed || !ahead) return false;
    const std::optional<SymbolicRun> original = straight(parts_.prologue, 1, std::move(ahead));
    if (!original || !same(*original, *packed, inside, parts_.kernel)) return false;
    if (!loads_are_among(packed->loads(), original->loads()))
      return fail(parts_.kernel, "a load that the original does not do");
    // end
    const bool guarded = !claim_.short_loop.empty() && !claim_.away;
    const std::optional<SymbolicRun> last = straight(parts_.epilogue, 1, start, guarded);
    const std::optional<SymbolicRun> all = straight(parts_.body, rest, {});
    if (!last || !all || !same(*all, *last, behind, parts_.epilogue)) return false;
    if (!loads_are_among(last->loads(), all->loads()))
      return fail(parts_.epilogue, "a load that the original does not do");
    if (guarded && !jumps_away(parts_.epilogue))
      return fail(parts_.epilogue, "it falls into the short loop");
    return true;
  }

  // What the guards say at the start holds at the start of every iteration.
  bool distances() {
    apart_.clear();
    std::optional<SymbolicRun> once = straight(parts_.body, 1, {});
    if (!once) return false;
    for (const PipelinedClaim::Guard& guard : claim_.guards) {
      const std::string why = stays_apart(guard, *once, values_, all_.machine);
      if (!why.empty()) return fail(parts_.body, why);
      apart_.push_back({values_.start(guard.a), values_.start(guard.b), guard.window});
    }
    return true;
  }

  const PipelinedJudge& all_;
  const PipelinedClaim& claim_;
  const PipelinedParts& parts_;
  Values values_;
  OperationNames names_;
  std::vector<Violation> violations_;
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
                                       const PipelinedParts& parts) {
  return Judge(judge, claim, parts).run();
}

}  // namespace burin::vliw
