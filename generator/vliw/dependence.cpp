#include "vliw/dependence.h"

#include <algorithm>
#include <map>
#include <optional>

#include "vliw/memory.h"
#include "vliw/unit_set.h"

namespace burin::vliw {
namespace {

// A unit's effects from outside: its instructions see the registers before it.
struct UnitEffects {
  std::vector<Effects> parts;
  RegisterSet reads, writes, sure;  // sure: overwritten without condition
  bool gathers = true;              // whatever it does to the sticky bits only adds to them
  bool barrier = false, flow = false;
  int predicate_version = 0;  // writes of its predicate before it in the block
};

UnitEffects effects_of(const Unit& unit) {
  UnitEffects all;
  for (const Instruction& instruction : unit.instructions) {
    Effects e = effects_of(instruction);
    all.reads |= e.reads;
    all.writes |= e.writes;
    RegisterSet sure = e.writes;
    if (e.gathers) sure.remove(kSticky);
    if (!e.conditional) all.sure |= sure;
    if (e.writes.has(kSticky)) all.gathers = all.gathers && e.gathers;
    all.barrier = all.barrier || e.barrier;
    all.flow = all.flow || changes_flow(instruction);
    all.parts.push_back(std::move(e));
  }
  return all;
}

// Only one of the two does anything: complementary conditions on the same value of a predicate.
bool exclusive(const UnitEffects& a, const UnitEffects& b) {
  if (a.parts.size() != 1 || b.parts.size() != 1) return false;
  const Effects &x = a.parts[0], &y = b.parts[0];
  return x.conditional && y.conditional && x.predicate == y.predicate && x.predicate >= 0 &&
         x.sense != y.sense && a.predicate_version == b.predicate_version;
}

class DependenceBuilder {
 public:
  DependenceBuilder(const Block& block, const Machine& machine)
      : block_(block), machine_(machine) {}

  Graph run() {
    const int n = static_cast<int>(block_.units.size());
    std::vector<int> versions(kRegisterCount, 0);
    for (const Unit& unit : block_.units) {
      effects_.push_back(effects_of(unit));
      UnitEffects& e = effects_.back();
      if (e.parts.size() == 1 && e.parts[0].predicate >= 0)
        e.predicate_version = versions[static_cast<size_t>(e.parts[0].predicate)];
      for (int p = kPredicate; p < kVectorPredicate; ++p)
        versions[static_cast<size_t>(p)] += e.writes.has(p) ? 1 : 0;
    }
    const std::vector<std::vector<Access>> accesses = accesses_of(block_);
    std::vector<std::vector<int>> writers(kRegisterCount), readers(kRegisterCount);
    std::vector<int> memory;
    int last_barrier = -1;
    for (int v = 0; v < n; ++v) {
      row_.clear();
      const UnitEffects& b = effects_[static_cast<size_t>(v)];
      for (int r = 0; r < kRegisterCount; ++r) {
        const auto at = static_cast<size_t>(r);
        if (b.reads.has(r)) {
          for (const int u : writers[at]) register_edge(u, v, r, kReadAfterWrite);
        }
        if (b.writes.has(r)) {
          for (const int u : readers[at]) register_edge(u, v, r, kWriteAfterRead);
          for (const int u : writers[at]) {
            if (!both_gather(u, v, r)) register_edge(u, v, r, kWriteAfterWrite);
          }
        }
      }
      if (last_barrier >= 0) order_edge(last_barrier, v);
      if (b.barrier || b.flow) {
        for (int u = last_barrier + 1; u < v; ++u) order_edge(u, v);
      }
      memory_edges(v, memory, accesses);
      finish_row();
      update(v, b, writers, readers);
      if (!accesses[static_cast<size_t>(v)].empty()) memory.push_back(v);
      if (b.barrier && !b.flow) {
        last_barrier = v;
        memory.clear();
      }
      if (b.flow) last_barrier = v;
    }
    graph_.out.resize(static_cast<size_t>(n));
    graph_.in.resize(static_cast<size_t>(n));
    sort_edges();
    for (size_t e = 0; e < graph_.edges.size(); ++e) {
      graph_.out[static_cast<size_t>(graph_.edges[e].from)].push_back(static_cast<int>(e));
      graph_.in[static_cast<size_t>(graph_.edges[e].to)].push_back(static_cast<int>(e));
    }
    return std::move(graph_);
  }

 private:
  void update(int v, const UnitEffects& b, std::vector<std::vector<int>>& writers,
              std::vector<std::vector<int>>& readers) const {
    for (int r = 0; r < kRegisterCount; ++r) {
      const auto at = static_cast<size_t>(r);
      if (b.writes.has(r)) {
        // A conditional write leaves the older value possible; sticky bits gather.
        if (b.sure.has(r)) {
          writers[at].clear();
          readers[at].clear();
        }
        writers[at].push_back(v);
      }
      if (b.reads.has(r)) readers[at].push_back(v);
    }
  }

  // Bits that both only add to: their order is not seen.
  bool both_gather(int u, int v, int r) const {
    return r == kSticky && effects_[static_cast<size_t>(u)].gathers &&
           effects_[static_cast<size_t>(v)].gathers;
  }

  Edge& edge(int u, int v) {
    const auto [at, fresh] = row_.try_emplace(u);
    if (fresh) {
      at->second.from = u;
      at->second.to = v;
      at->second.within = Within::kFree;
    }
    return at->second;
  }

  void harden(Edge& e, int latency) {
    e.within = Within::kNever;
    e.latency = std::max(e.latency, latency);
  }

  void register_edge(int u, int v, int r, Cause cause) {
    if (u == v) return;
    const UnitEffects &a = effects_[static_cast<size_t>(u)], &b = effects_[static_cast<size_t>(v)];
    if (cause != kWriteAfterRead && exclusive(a, b)) return;
    if (cause == kWriteAfterRead && exclusive(a, b) && !b.sure.has(r)) return;
    Edge& e = edge(u, v);
    e.causes |= cause;
    if (e.reg < 0 || cause == kReadAfterWrite) e.reg = r;
    if (cause == kWriteAfterRead) {
      e.penalty = std::max(e.penalty, machine_.soft.write_after_read);
      if (block_.units[static_cast<size_t>(u)].closed ||
          block_.units[static_cast<size_t>(v)].closed)
        harden(e, 1);
      return;
    }
    if (cause == kWriteAfterWrite) return harden(e, 1);
    int latency = 1;
    for (const Instruction& x : block_.units[static_cast<size_t>(u)].instructions) {
      for (const Instruction& y : block_.units[static_cast<size_t>(v)].instructions) {
        if (x.unknown() || y.unknown()) continue;
        const Effects p = vliw::effects_of(x), c = vliw::effects_of(y);
        if (p.writes.has(r) && c.reads.has(r))
          latency = std::max(latency, latency_of(machine_, x, y, r));
      }
    }
    e.latency = std::max(e.latency, latency);
    if (e.within == Within::kNever) return;
    if (const std::optional<double> penalty = soft_rule(u, v)) {
      e.soft = true;
      e.penalty = std::max(e.penalty, *penalty);
      return;
    }
    const std::optional<Forward> forward = forward_of(u, v, r);
    if (!forward) return harden(e, latency);
    e.within = Within::kForward;
    e.soft = true;
    const SoftPenalties& soft = machine_.soft;
    const double penalty = forward->kind == Forward::Kind::kNewValue       ? soft.new_value
                           : forward->kind == Forward::Kind::kNewPredicate ? soft.new_predicate
                                                                           : soft.current_load;
    e.penalty = std::max(e.penalty, penalty);
    if (std::find(e.forwards.begin(), e.forwards.end(), *forward) == e.forwards.end())
      e.forwards.push_back(*forward);
  }

  std::optional<double> soft_rule(int u, int v) const {
    const Unit &a = block_.units[static_cast<size_t>(u)], &b = block_.units[static_cast<size_t>(v)];
    if (a.instructions.size() != 1 || b.instructions.size() != 1 || a.closed || b.closed)
      return std::nullopt;
    for (const SoftRule& rule : machine_.soft_rules) {
      if (a.instructions[0].form->timing == rule.from && b.instructions[0].form->timing == rule.to)
        return rule.penalty;
    }
    return std::nullopt;
  }

  // How unit v can read register r of unit u in the same packet.
  std::optional<Forward> forward_of(int u, int v, int r) const {
    const Unit &a = block_.units[static_cast<size_t>(u)], &b = block_.units[static_cast<size_t>(v)];
    if (a.closed || b.closed || a.instructions.size() != 1 || b.instructions.size() != 1)
      return std::nullopt;
    const Instruction &x = a.instructions[0], &y = b.instructions[0];
    const Effects &p = effects_[static_cast<size_t>(u)].parts[0],
                  &c = effects_[static_cast<size_t>(v)].parts[0];
    int produced = -1, consumed = -1, times = 0;
    for (size_t i = 0; i < x.operands.size(); ++i) {
      const char role = x.form->roles[i].role;
      if ((role == 'd' || role == 'x') && x.operands[i].set.has(r)) produced = static_cast<int>(i);
    }
    for (size_t i = 0; i < y.operands.size(); ++i) {
      const char role = y.form->roles[i].role;
      if ((role != 's' && role != 'x') || !y.operands[i].set.has(r)) continue;
      consumed = static_cast<int>(i);
      ++times;
    }
    if (produced < 0 || consumed < 0) return std::nullopt;
    const Operand& from = x.operands[static_cast<size_t>(produced)];
    const Operand& to = y.operands[static_cast<size_t>(consumed)];
    if (to.width != 1 || (from.width != 1 && (from.kind != 'V' || !y.form->is(kStore))))
      return std::nullopt;
    if (from.kind == 'P') {
      if (times != 1 || c.predicate != r || p.conditional || x.form->is(kPredicateLate))
        return std::nullopt;
      if (with_new_predicate(y, machine_).form == nullptr) return std::nullopt;
      return Forward{Forward::Kind::kNewPredicate, v, consumed};
    }
    if (from.kind != 'R' && from.kind != 'V') return std::nullopt;
    const bool same_condition =
        p.conditional && c.conditional && p.predicate == c.predicate && p.sense == c.sense;
    if (y.form->is(kStore)) {
      if (times != 1 || x.form->produces != produced) return std::nullopt;
      if (p.conditional && !same_condition) return std::nullopt;
      const Instruction fresh = with_suffix(y, consumed, "new", machine_);
      if (fresh.form == nullptr || fresh.form->consumes != consumed) return std::nullopt;
      return Forward{Forward::Kind::kNewValue, v, consumed};
    }
    if (from.kind == 'V' && x.form->is(kLoad) && !p.conditional && produced == 0 &&
        !y.form->is(kLoad | kStore) && y.form->roles[static_cast<size_t>(consumed)].role == 's') {
      const Instruction current = with_suffix(x, 0, "cur", machine_);
      if (current.form == nullptr || !current.form->is(kCurrentLoad)) return std::nullopt;
      return Forward{Forward::Kind::kCurrent, u, 0};
    }
    return std::nullopt;
  }

  // Nearest first: an order that a chain of edges implies needs no edge of its own, so that rows of
  // accesses that all may touch have one edge each and not one per pair.
  void memory_edges(int v, const std::vector<int>& memory,
                    const std::vector<std::vector<Access>>& accesses) {
    earlier_.emplace_back(block_.units.size());
    strictly_.emplace_back(block_.units.size());
    for (const auto& [u, e] : row_) note_order(u, v, e);
    if (accesses[static_cast<size_t>(v)].empty()) return;
    for (size_t i = memory.size(); i-- > 0;) {
      const int u = memory[i];
      if (strictly_.back().has(u)) continue;
      if (memory_edge(u, v, accesses)) note_order(u, v, row_.at(u));
    }
  }

  void note_order(int u, int v, const Edge& e) {
    UnitSet &all = earlier_[static_cast<size_t>(v)], &strict = strictly_[static_cast<size_t>(v)];
    all |= earlier_[static_cast<size_t>(u)];
    all.add(u);
    if (e.within == Within::kNever) {
      strict |= earlier_[static_cast<size_t>(u)];
      strict.add(u);
    } else {
      strict |= strictly_[static_cast<size_t>(u)];
    }
  }

  bool memory_edge(int u, int v, const std::vector<std::vector<Access>>& accesses) {
    bool any = false;
    for (const Access& a : accesses[static_cast<size_t>(u)]) {
      for (const Access& b : accesses[static_cast<size_t>(v)]) {
        if ((!a.store && !b.store) || !may_touch(a, b)) continue;
        const Unit &x = block_.units[static_cast<size_t>(u)],
                   &y = block_.units[static_cast<size_t>(v)];
        const bool in_order = a.store && !x.closed && !y.closed && x.instructions.size() == 1 &&
                              y.instructions.size() == 1 &&
                              may_keep_order(x.instructions[0], y.instructions[0], machine_);
        const bool hard = (a.store && !in_order) || x.closed || y.closed;
        const double penalty =
            in_order ? machine_.soft.store_then_load : machine_.soft.load_then_store;
        if (!hard && !in_order && penalty == 0 && earlier_[static_cast<size_t>(v)].has(u)) continue;
        any = true;
        Edge& e = edge(u, v);
        e.causes |= kMemory;
        if (hard) {
          harden(e, 1);
          continue;
        }
        e.penalty = std::max(e.penalty, penalty);
        if (!in_order) continue;
        e.in_order = e.soft = true;
        e.latency = std::max(e.latency, 1);
      }
    }
    return any;
  }

  void order_edge(int u, int v) {
    if (u < 0 || u == v) return;
    const UnitEffects &a = effects_[static_cast<size_t>(u)], &b = effects_[static_cast<size_t>(v)];
    Edge& e = edge(u, v);
    e.causes |= b.flow || a.flow ? kFlow : kOrder;
    // Jumps and calls take effect at the end of their packet: what goes before them may share it,
    // and a second change of flow may follow in it.
    const bool may_share = b.flow && (!a.flow || second_flow(u, v)) && !solo(u) && !solo(v);
    if (!may_share) harden(e, 1);
  }

  bool solo(int u) const {
    const Unit& unit = block_.units[static_cast<size_t>(u)];
    if (unit.closed) return true;
    return std::any_of(
        unit.instructions.begin(), unit.instructions.end(),
        [](const Instruction& i) { return i.unknown() || i.form->is(kSolo | kSoloAx); });
  }

  bool second_flow(int u, int v) const {
    const Unit &a = block_.units[static_cast<size_t>(u)], &b = block_.units[static_cast<size_t>(v)];
    return a.instructions.size() == 1 && b.instructions.size() == 1 &&
           a.instructions[0].form->is(kFlowFirst) && b.instructions[0].form->is(kFlowSecond);
  }

  void finish_row() {
    for (auto& [u, e] : row_) {
      if (e.within != Within::kForward) e.forwards.clear();
      if (e.within == Within::kNever) {
        e.soft = false;
        e.penalty = 0;
      }
      graph_.edges.push_back(std::move(e));
    }
  }

  // By `from`; the rows came in order of `to`.
  void sort_edges() {
    std::vector<size_t> start(block_.units.size() + 1, 0);
    for (const Edge& e : graph_.edges) ++start[static_cast<size_t>(e.from) + 1];
    for (size_t u = 1; u < start.size(); ++u) start[u] += start[u - 1];
    std::vector<Edge> sorted(graph_.edges.size());
    for (Edge& e : graph_.edges) sorted[start[static_cast<size_t>(e.from)]++] = std::move(e);
    graph_.edges = std::move(sorted);
  }

  const Block& block_;
  const Machine& machine_;
  std::vector<UnitSet> earlier_, strictly_;  // per unit: in its packet or before, before its packet
  std::vector<UnitEffects> effects_;
  std::map<int, Edge> row_;
  Graph graph_;
};

}  // namespace

bool may_keep_order(const Instruction& store, const Instruction& load, const Machine& machine) {
  if (machine.soft.store_then_load < 0 || store.unknown() || load.unknown()) return false;
  const auto plain = [&](const Form& form, uint32_t is, uint32_t is_not) {
    const std::vector<uint8_t>& slots = machine.classes[static_cast<size_t>(form.timing)].slots;
    return form.is(is) &&
           !form.is(is_not | kIfTrue | kIfFalse | kSolo | kSoloAx | kCall | kJump | kNoSlot1Store |
                    kSlot1Alu) &&
           !form.vector_access && form.bytes > 0 && form.bytes <= 8 && slots.size() == 1 &&
           (slots[0] & 3) == 3;
  };
  return plain(*store.form, kStore, kLoad) && plain(*load.form, kLoad, kStore);
}

Graph build_graph(const Block& block, const Machine& machine) {
  return DependenceBuilder(block, machine).run();
}

std::string describe(const Edge& edge) {
  std::string text;
  const auto add = [&](std::string_view part) {
    if (!text.empty()) text += ", ";
    text += part;
  };
  if (edge.causes & kReadAfterWrite) add("read after write");
  if (edge.causes & kWriteAfterRead) add("write after read");
  if (edge.causes & kWriteAfterWrite) add("write after write");
  if (edge.reg >= 0) text += " of " + name_of_register(edge.reg);
  if (edge.causes & kMemory) add("memory order");
  if (edge.causes & kFlow) add("change of flow");
  if (edge.causes & kOrder) add("must keep its place");
  return text;
}

}  // namespace burin::vliw
