#include "vliw/loop_graph.h"

#include <algorithm>

#include "vliw/memory.h"

namespace burin::vliw {
namespace {

constexpr int kNearest = 64;  // iterations looked ahead for accesses that meet

class LoopGraphBuilder {
 public:
  LoopGraphBuilder(const std::vector<Instruction>& body, const Machine& machine,
                   const LoopGraphOptions& options)
      : body_(body), machine_(machine), options_(options), n_(static_cast<int>(body.size())) {
    for (const Instruction& i : body) effects_.push_back(effects_of(i));
  }

  LoopGraph run() {
    graph_.moves_offset.assign(static_cast<size_t>(n_), false);
    find_steps();
    registers();
    memory();
    std::sort(graph_.apart.begin(), graph_.apart.end());
    graph_.apart.erase(std::unique(graph_.apart.begin(), graph_.apart.end()), graph_.apart.end());
    return std::move(graph_);
  }

 private:
  // Whether an offset of whole vectors may take in a step of its pointer, either way.
  static bool reaches(int64_t offset, int64_t vectors) {
    constexpr int64_t kFirst = -8, kLast = 7;
    const auto in = [&](int64_t there) { return there >= kFirst && there <= kLast; };
    return in(offset + vectors) || in(offset - vectors);
  }

  const Instruction& at(int u) const { return body_[static_cast<size_t>(u)]; }
  const Effects& effects(int u) const { return effects_[static_cast<size_t>(u)]; }

  // By how much instruction u changes r, if it is a constant step.
  std::optional<int64_t> step_by(int u, int r) const {
    const Instruction& i = at(u);
    const Form& form = *i.form;
    if (effects(u).conditional) return std::nullopt;
    if (form.key == "R=add(R,#)" && i.operands[0].first == r && i.operands[1].first == r &&
        i.operands[2].has_value)
      return i.operands[2].value;
    if (!form.post_increment || form.base < 0 || form.offset < 0) return std::nullopt;
    const Operand& base = i.operands[static_cast<size_t>(form.base)];
    const Operand& by = i.operands[static_cast<size_t>(form.offset)];
    if (base.first != r || !by.has_value) return std::nullopt;
    for (size_t k = 0; k < i.operands.size(); ++k) {  // a load over its own pointer
      if (static_cast<int>(k) != form.base && i.operands[k].set.has(r)) return std::nullopt;
    }
    return by.value * (form.vector_access ? form.bytes : 1);
  }

  void find_steps() {
    for (int r = 0; r < 32; ++r) {
      int writers = 0;
      std::optional<int64_t> sum = 0;
      Stepping only;
      for (int u = 0; u < n_; ++u) {
        if (!effects(u).writes.has(r)) continue;
        ++writers;
        const std::optional<int64_t> step = step_by(u, r);
        sum = sum && step ? std::optional<int64_t>(*sum + *step) : std::nullopt;
        if (step) only = {u, *step};
      }
      const auto k = static_cast<size_t>(r);
      graph_.per_iteration[k] = sum;
      if (writers == 1 && sum) graph_.stepping[k] = only;
    }
    for (int u = 0; u < n_ && options_.moving_offsets; ++u) {
      const Instruction& i = at(u);
      const Form& form = *i.form;
      const AddressOperands address = address_of(i);
      if (address.base < 0) continue;
      const Operand& base = i.operands[static_cast<size_t>(address.base)];
      const Operand& offset = i.operands[static_cast<size_t>(address.offset)];
      if (base.first < 0 || base.first >= 32 || base.width != 1 || !offset.has_value ||
          offset.extended || !graph_.stepping[static_cast<size_t>(base.first)])
        continue;
      bool once = true;
      for (size_t k = 0; k < i.operands.size(); ++k)
        once = once && (static_cast<int>(k) == address.base || !i.operands[k].set.has(base.first));
      const int64_t step = graph_.stepping[static_cast<size_t>(base.first)]->step;
      // of what ranges the table knows: whole vectors, and offsets that an extender could widen
      const bool ranged = form.vector_access
                              ? step % form.bytes == 0 && reaches(offset.value, step / form.bytes)
                              : !form.extend.empty() && form.extend[0].operand == address.offset;
      graph_.moves_offset[static_cast<size_t>(u)] = once && ranged;
    }
  }

  // Does u only read r as the base of an address whose offset may be adjusted?
  bool free_of(int u, int r) const {
    if (!graph_.moves_offset[static_cast<size_t>(u)]) return false;
    return at(u).operands[static_cast<size_t>(address_of(at(u)).base)].first == r;
  }

  // Walks two iterations in order; edges into the second are kept.
  void registers() {
    std::vector<std::vector<int>> writers(kRegisterCount), readers(kRegisterCount);
    for (int i = 0; i < 2 * n_; ++i) {
      const int v = i % n_;
      const Effects& e = effects(v);
      for (int r = 0; r < kRegisterCount; ++r) {
        const auto k = static_cast<size_t>(r);
        const bool reads = e.reads.has(r), writes = e.writes.has(r);
        if (!reads && !writes) continue;
        if (i >= n_) {
          if (reads) {
            for (const int j : writers[k]) flow(j, i, r);
          }
          if (writes) {
            for (const int j : readers[k]) order(j, i, r, 0);
            for (const int j : writers[k]) {
              if (r != kSticky || !e.gathers || !effects(j % n_).gathers) order(j, i, r, 1);
            }
          }
        }
        if (writes) {
          if (!e.conditional && (r != kSticky || !e.gathers)) {
            writers[k].clear();
            readers[k].clear();
          }
          writers[k].push_back(i);
        }
        if (reads) readers[k].push_back(i);
      }
    }
  }

  int distance(int j, int i) const { return (i >= n_ ? 1 : 0) - (j >= n_ ? 1 : 0); }

  void flow(int j, int i, int r) {
    const int u = j % n_, v = i % n_;
    if (free_of(v, r)) return;
    LoopEdge edge{u, v, latency_of(machine_, at(u), at(v), r), distance(j, i), false, true, false,
                  r, {}};
    const Block pair = block_of({at(u), at(v)});
    for (const Edge& e : build_graph(pair, machine_).edges) {
      edge.pair = e;
      edge.forward = e.within != Within::kNever;
    }
    if (u == v) edge.forward = false;
    graph_.edges.push_back(std::move(edge));
  }

  void order(int j, int i, int r, int latency) {
    const int u = j % n_, v = i % n_;
    if (latency == 0 && free_of(u, r)) return;
    if (u == v && latency == 0) return;
    graph_.edges.push_back({u, v, latency, distance(j, i), false, false, false, r, {}});
  }

  void memory() {
    const std::vector<std::vector<Access>> all = accesses_of(block_of(body_));
    for (int u = 0; u < n_; ++u) {
      for (int v = 0; v < n_; ++v) {
        for (const Access& a : all[static_cast<size_t>(u)]) {
          for (const Access& b : all[static_cast<size_t>(v)]) {
            if (a.store || b.store) meet(u, v, a, b);
          }
        }
      }
    }
  }

  void meet(int u, int v, const Access& a, const Access& b) {
    const std::optional<int> nearest = nearest_meeting(u, v, a, b);
    if (!nearest) return;
    const bool in_order = a.store && u != v && may_keep_order(at(u), at(v), machine_);
    graph_.edges.push_back({u, v, a.store ? 1 : 0, *nearest, in_order, false, in_order, -1, {}});
  }

  // The first iteration, counted from a's, in which b comes later and may touch what a touches.
  std::optional<int> nearest_meeting(int u, int v, const Access& a, const Access& b) {
    const int first = u < v ? 0 : 1;
    const auto steps = [&](const Access& x) -> std::optional<int64_t> {
      if (!x.known || x.root < 0 || x.root >= 32) return std::nullopt;
      return graph_.per_iteration[static_cast<size_t>(x.root)];
    };
    const std::optional<int64_t> p = steps(a), q = steps(b);
    if (!p || !q) return first;
    if (a.root != b.root) {
      if (!options_.apart) return first;
      graph_.apart.push_back({std::min(a.root, b.root), std::max(a.root, b.root)});
      return std::nullopt;
    }
    for (int d = first; d <= first + (*p == 0 ? 0 : kNearest); ++d) {
      Access later = b;
      later.low += d * *p;
      later.high += d * *p;
      later.start += d * *p;
      if (may_touch(a, later)) return d;
    }
    return std::nullopt;
  }

  const std::vector<Instruction>& body_;
  const Machine& machine_;
  const LoopGraphOptions& options_;
  int n_;
  std::vector<Effects> effects_;
  LoopGraph graph_;
};

}  // namespace

AddressOperands address_of(const Instruction& instruction) {
  const Form& form = *instruction.form;
  if (form.key == "R=add(R,#)") return {1, 2};
  if (form.base < 0 || form.offset < 0 || form.post_increment || form.bytes == 0) return {};
  return {form.base, form.offset};
}

Block block_of(const std::vector<Instruction>& instructions) {
  Block block;
  for (const Instruction& i : instructions) {
    Unit unit;
    unit.instructions.push_back(i);
    block.units.push_back(std::move(unit));
  }
  if (!instructions.empty()) block.line = instructions[0].line;
  return block;
}

std::vector<LoopAccess> loop_accesses(const std::vector<Instruction>& body) {
  std::vector<LoopAccess> all;
  const std::vector<std::vector<Access>> found = accesses_of(block_of(body));
  for (size_t u = 0; u < found.size(); ++u) {
    for (const Access& a : found[u])
      all.push_back(
          {static_cast<int>(u), a.known && a.root < 32 ? a.root : -1, a.low, a.high, a.store});
  }
  return all;
}

int64_t size_of_meeting(const std::vector<Instruction>& body, int a, int b) {
  constexpr int64_t kLargest = 8;
  int64_t size = 0;
  const std::vector<LoopAccess> accesses = loop_accesses(body);
  for (const LoopAccess& x : accesses) {
    for (const LoopAccess& y : accesses) {
      if (x.root != a || y.root != b || (!x.store && !y.store)) continue;
      for (const LoopAccess* each : {&x, &y}) {
        const Instruction& i = body[static_cast<size_t>(each->unit)];
        if (i.form->vector_access || effects_of(i).conditional) return 0;
      }
      const int64_t here = x.high - x.low;
      if (x.low != y.low || x.high != y.high || (size != 0 && here != size)) return 0;
      size = here;
      if (size > kLargest || (size & (size - 1)) != 0 || x.low % size != 0) return 0;
    }
  }
  return size;
}

LoopGraph build_loop_graph(const std::vector<Instruction>& body, const Machine& machine,
                           const LoopGraphOptions& options) {
  return LoopGraphBuilder(body, machine, options).run();
}

}  // namespace burin::vliw
