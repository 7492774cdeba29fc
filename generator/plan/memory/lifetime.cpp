#include "plan/memory/lifetime.h"

#include <algorithm>
#include <span>

#include "plan/memory/address.h"
#include "support/at.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// The step without what is inside it.
Step shell(const Step& step) {
  if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
    auto bare = std::make_shared<If>();
    bare->condition = (*branch)->condition;
    return bare;
  }
  if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
    auto bare = std::make_shared<Loop>();
    bare->iteration = (*loop)->iteration;
    bare->trips = (*loop)->trips;
    bare->condition = (*loop)->condition;
    return bare;
  }
  return step;
}

void add_positions(const Steps& steps, const KernelGraph& graph, std::vector<Position>& positions) {
  for (const Step& step : steps) {
    const size_t here = positions.size();
    const bool region = std::holds_alternative<std::shared_ptr<If>>(step) ||
                        std::holds_alternative<std::shared_ptr<Loop>>(step);
    Position position;
    position.step = &step;
    position.reads = region ? reads_of(shell(step)) : reads_of(step);
    if (!region) position.writes = writes_of(step);
    for (const ValueId value : position.writes) {
      const Kernel* kernel = std::get_if<Kernel>(&step);
      // A procedure fills all that it declares.
      if (!kernel || defines_all(*kernel, value, graph.values)) position.defines.push_back(value);
    }
    positions.push_back(std::move(position));
    if (const auto* branch = std::get_if<std::shared_ptr<If>>(&step)) {
      add_positions((*branch)->then_steps, graph, positions);
      add_positions((*branch)->else_steps, graph, positions);
    } else if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step)) {
      add_positions((*loop)->body, graph, positions);
    }
    positions[here].last = static_cast<int>(positions.size()) - 1;
  }
}

bool contains(const std::vector<ValueId>& sorted, ValueId value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

using Part = std::span<const Step>;  // of a list

// Data flow for one value over a part of the tree: forward, where a write may have reached;
// backward, where a read may come. `first` is the position where the part starts.
class Flow {
 public:
  Flow(const std::vector<Position>& positions, ValueId value)
      : positions_(positions),
        value_(value),
        reached_(positions.size()),
        reached_after_(positions.size()),
        needed_(positions.size()),
        needed_after_(positions.size()) {}

  Lifetime run(Part steps, int first, bool needed) {
    forward(steps, first, false);
    backward(steps, first, needed);
    Lifetime life{reached_, reached_after_};
    life.held &= needed_;
    life.after &= needed_after_;
    return life;
  }

 private:
  static const Steps& then_of(const Step& step) {
    return std::get<std::shared_ptr<If>>(step)->then_steps;
  }
  static const Steps& else_of(const Step& step) {
    return std::get<std::shared_ptr<If>>(step)->else_steps;
  }
  static bool is_if(const Step& step) { return std::holds_alternative<std::shared_ptr<If>>(step); }
  static const Loop* loop_of(const Step& step) {
    const auto* loop = std::get_if<std::shared_ptr<Loop>>(&step);
    return loop ? loop->get() : nullptr;
  }
  int end_of(Part steps, int first) const {  // one past the last position of a list
    for (size_t i = 0; i < steps.size(); ++i) first = positions_[at(first)].last + 1;
    return first;
  }

  // The list starts at `position`; returns whether a write may have reached its end.
  bool forward(Part steps, int position, bool reached) {
    for (const Step& step : steps) {
      const Position& here = positions_[at(position)];
      if (is_if(step)) {
        mark(reached_, position, reached);
        const int middle = end_of(then_of(step), position + 1);
        const bool by_then = forward(then_of(step), position + 1, reached);
        const bool by_else = forward(else_of(step), middle, reached);
        reached = by_then || by_else;
        mark(reached_after_, position, reached);
      } else if (const Loop* loop = loop_of(step)) {
        if (forward(loop->body, position + 1, reached) && !reached) {
          reached = true;
          forward(loop->body, position + 1, reached);
        }
        mark(reached_, position, reached);
        mark(reached_after_, position, reached);
      } else {
        reached = reached || contains(here.writes, value_);
        mark(reached_, position, reached);
        mark(reached_after_, position, reached);
      }
      position = here.last + 1;
    }
    return reached;
  }

  // The list starts at `position`; returns whether what was there before it is needed.
  bool backward(Part steps, int position, bool needed) {
    std::vector<int> starts;
    for (size_t i = 0; i < steps.size(); ++i) {
      starts.push_back(position);
      position = positions_[at(position)].last + 1;
    }
    for (size_t i = steps.size(); i-- > 0;) needed = backward(steps[i], starts[i], needed);
    return needed;
  }

  bool backward(const Step& step, int position, bool needed) {
    const Position& here = positions_[at(position)];
    mark(needed_after_, position, needed);
    if (is_if(step)) {
      const int middle = end_of(then_of(step), position + 1);
      const bool by_then = backward(then_of(step), position + 1, needed);
      const bool by_else = backward(else_of(step), middle, needed);
      needed = by_then || by_else || contains(here.reads, value_);
      mark(needed_, position, needed);
      return needed;
    }
    if (const Loop* loop = loop_of(step)) {
      // The condition is read before every iteration, and the loop may end there.
      needed = needed || contains(here.reads, value_);
      if (backward(loop->body, position + 1, needed) && !needed) {
        needed = true;
        backward(loop->body, position + 1, needed);
      }
      mark(needed_, position, needed);
      mark(needed_after_, position, needed);
      return needed;
    }
    const bool written = contains(here.writes, value_);
    mark(needed_, position, needed || written);
    if (contains(here.defines, value_)) needed = false;
    needed = needed || contains(here.reads, value_);
    mark(needed_, position, needed);
    return needed;
  }

  static void mark(PositionSet& set, int position, bool in) {
    if (in) set.set(at(position));
  }

  const std::vector<Position>& positions_;
  ValueId value_;
  PositionSet reached_, reached_after_;  // a write may have come before or at, before or at
  PositionSet needed_, needed_after_;    // a read may come at or after; after
};

bool is_region(const Position& position) {
  return std::holds_alternative<std::shared_ptr<If>>(*position.step) ||
         std::holds_alternative<std::shared_ptr<Loop>>(*position.step);
}

// Where one value is touched, in order.
struct Touches {
  bool inside = false;  // by a region, or in one
  std::vector<int> places;
};

std::vector<Touches> touches_of(const std::vector<Position>& positions, size_t values) {
  std::vector<Touches> touches(values);
  int end = 0;  // of the region that is looked at
  for (size_t p = 0; p < positions.size(); ++p) {
    const Position& here = positions[p];
    const bool plain = static_cast<int>(p) >= end && !is_region(here);
    end = std::max(end, here.last + 1);
    for (const std::vector<ValueId>* ids : {&here.reads, &here.writes}) {
      for (const ValueId id : *ids) {
        Touches& one = touches[at(id)];
        one.inside = one.inside || !plain;
        if (one.places.empty() || one.places.back() != static_cast<int>(p))
          one.places.push_back(static_cast<int>(p));
      }
    }
  }
  return touches;
}

// What Flow finds where no region touches the value: it lives, or does not, all the way from one
// place to the next.
Lifetime straight(const std::vector<Position>& positions, ValueId value,
                  const std::vector<int>& places, bool needed) {
  Lifetime life{PositionSet(positions.size()), PositionSet(positions.size())};
  const auto first = std::find_if(places.begin(), places.end(), [&](int place) {
    return contains(positions[at(place)].writes, value);
  });
  size_t end = positions.size();
  for (auto place = places.end(); place != first;) {
    const size_t here = at(*--place);
    const Position& position = positions[here];
    life.held.set(here + 1, end, needed);
    life.after.set(here, end, needed);
    const bool held = needed || contains(position.writes, value);
    if (contains(position.defines, value)) needed = false;
    needed = needed || contains(position.reads, value);
    life.held.set(here, held || needed);
    end = here;
  }
  return life;
}

// The steps between which all that touches a value lies, as deep inside branches as that goes. What
// comes before them cannot have written it, and what follows does not need it. A part of a loop's
// body would not do: iterations follow each other.
struct Around {
  Part steps;
  int first = 0;
};

Around around(const std::vector<Position>& positions, const Steps& all,
              const std::vector<int>& places) {
  const int from = places.front(), to = places.back();
  const auto next = [&](int position) { return positions[at(position)].last + 1; };
  Around out{all, 0};
  for (;;) {
    while (next(out.first) <= from) {
      out.first = next(out.first);
      out.steps = out.steps.subspan(1);
    }
    size_t count = 1;
    for (int end = next(out.first); end <= to; end = next(end)) ++count;
    out.steps = out.steps.first(count);
    const auto* branch = std::get_if<std::shared_ptr<If>>(&out.steps.front());
    if (!branch || count > 1 || from == out.first) return out;
    int middle = out.first + 1;
    for (size_t i = 0; i < (*branch)->then_steps.size(); ++i) middle = next(middle);
    if (from < middle && to >= middle) return out;
    const bool first_way = from < middle;
    out.first = first_way ? out.first + 1 : middle;
    out.steps = first_way ? (*branch)->then_steps : (*branch)->else_steps;
  }
}

// Follows a value that regions touch.
Lifetime branching(const std::vector<Position>& positions, const Steps& all, ValueId value,
                   const std::vector<int>& places, bool needed) {
  Flow flow(positions, value);
  if (needed) return flow.run(all, 0, true);  // until the end
  const Around part = around(positions, all, places);
  return flow.run(part.steps, part.first, false);
}

}  // namespace

std::vector<Position> positions_of(const KernelGraph& graph) {
  std::vector<Position> positions;
  add_positions(graph.steps, graph, positions);
  return positions;
}

std::vector<Lifetime> lifetimes_of(const KernelGraph& graph,
                                   const std::vector<Position>& positions) {
  // What plans and prints one step after the other takes a millisecond for each.
  constexpr size_t kMostSteps = 24'000;
  if (positions.size() > kMostSteps)
    refuse("limit", "the network has too many steps: " + std::to_string(positions.size()) + "; " +
                        std::to_string(kMostSteps) + " are taken");
  const std::vector<Touches> touches = touches_of(positions, graph.values.size());
  // What regions touch is followed over the steps around.
  constexpr size_t kMostWork = 200'000'000;
  const auto followed = static_cast<size_t>(
      std::count_if(touches.begin(), touches.end(), [](const Touches& one) { return one.inside; }));
  if (positions.size() > kMostWork / std::max<size_t>(1, followed))
    refuse("limit", "branches and loops touch too many tensors among too many steps: " +
                        std::to_string(followed) + " and " + std::to_string(positions.size()));
  std::vector<Lifetime> lives;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    const ValueKind kind = graph.values[v].kind;
    if (kind == ValueKind::input || kind == ValueKind::constant) {
      lives.push_back({PositionSet(positions.size(), true), PositionSet(positions.size(), true)});
      continue;
    }
    const ValueId value = static_cast<ValueId>(v);
    const bool needed = kind == ValueKind::output;
    lives.push_back(touches[v].inside
                        ? branching(positions, graph.steps, value, touches[v].places, needed)
                        : straight(positions, value, touches[v].places, needed));
  }
  return lives;
}

std::vector<Interval> intervals_of(const PositionSet& held) {
  std::vector<Interval> intervals;
  for (const PositionSet::Range& range : held.ranges())
    intervals.push_back({static_cast<int>(range.first), static_cast<int>(range.end) - 1});
  return intervals;
}

}  // namespace burin
