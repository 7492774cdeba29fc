#include "kernel/symbolic/roundings.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "kernel/procedures/procedures.h"

namespace burin {
namespace {

Roundings after_one_more(Roundings before) {
  return before == Roundings::none ? Roundings::one : Roundings::many;
}

// Whether every value of `from` is one of `to`.
bool holds(Type to, Type from) {
  if (from == Type::boolean || to == from) return true;
  if (is_float(from)) return is_float(to) && size_bits(to) > size_bits(from);
  if (!is_float(to)) return true;  // integers wrap or clip: exact
  const int digits = to == Type::f64 ? 53 : to == Type::f32 ? 24 : to == Type::f16 ? 11 : 0;
  return size_bits(from) <= digits;
}

// Whether nothing is lost where `stored` becomes a `type`: it takes from types that `type` holds.
bool keeps_bits(const Expr& stored, Type type) {
  bool keeps = true;
  visit(stored, [&](const ExprNode& node) {
    if (node.kind == ExprKind::load || node.kind == ExprKind::cast)
      keeps = keeps && holds(type, node.storage);
    else if (node.kind == ExprKind::let || node.kind == ExprKind::index)
      keeps = false;
  });
  return keeps;
}

class Counter {
 public:
  Counter(const KernelGraph& graph, const std::function<bool(ValueId)>& given)
      : graph_(graph), values_(graph.values.size(), Roundings::none) {
    for (size_t id = 0; id < graph.values.size(); ++id) {
      const Value& value = graph.values[id];
      if (value.kind == ValueKind::constant && is_float(value.type) &&
          !given(static_cast<ValueId>(id)))
        values_[id] = Roundings::many;
    }
  }

  // What loops carry counts more each time around, until nothing changes.
  std::vector<Roundings> run() {
    do {
      changed_ = false;
      steps(graph_.steps, Roundings::none);
    } while (changed_);
    return std::move(values_);
  }

 private:
  void raise(Roundings& held, Roundings to) {
    if (to <= held) return;
    held = to;
    changed_ = true;
  }

  void steps(const Steps& all, Roundings condition) {
    for (const Step& step : all) {
      lets_.clear();
      known_.clear();
      kept_.clear();
      std::visit([&](const auto& one) { visit_step(one, condition); }, step);
    }
  }

  void visit_step(const Kernel& kernel, Roundings condition) {
    // A let may read its own earlier state.
    lets_.assign(kernel.lets.size(), Roundings::none);
    for (bool settled = false; !settled;) {
      known_.clear();
      settled = true;
      for (size_t i = 0; i < lets_.size(); ++i) {
        const Roundings found = of(kernel.lets[i]);
        settled = settled && found == lets_[i];
        lets_[i] = found;
      }
    }
    for (const Write& write : kernel.writes) {
      Roundings found = std::max(condition, of(write.value));
      for (const Index& index : write.at) found = std::max(found, of(index));
      for (const Condition& guard : write.when) found = std::max(found, of(guard.index));
      const Type type = graph_.values[static_cast<size_t>(write.to)].type;
      if (is_float(type)) {
        if (write.how == How::add || write.how == How::mul) found = Roundings::many;
        if (found == Roundings::none && !holds(type, write.value.type()) &&
            !keeps_bits(write.value, type))
          found = Roundings::one;
      }
      raise(values_[static_cast<size_t>(write.to)], found);
    }
  }

  void visit_step(const Procedure& procedure, Roundings condition) {
    Roundings found = condition;
    for (const ValueId id : procedure.reads)
      found = std::max(found, values_[static_cast<size_t>(id)]);
    for (const Symbol& symbol : procedure.results) raise(symbols_[symbol->name], found);
    for (const ValueId id : procedure.writes) {
      const bool computes =
          is_float(graph_.values[static_cast<size_t>(id)].type) && rounds(procedure);
      raise(values_[static_cast<size_t>(id)], computes ? Roundings::many : found);
    }
  }

  void visit_step(const Bind& bind, Roundings condition) {
    raise(symbols_[bind.symbol->name], std::max(condition, of(bind.value)));
  }

  void visit_step(const Check&, Roundings) {}

  void visit_step(const std::shared_ptr<If>& region, Roundings condition) {
    const Roundings inside = std::max(condition, of(region->condition));
    steps(region->then_steps, inside);
    steps(region->else_steps, inside);
  }

  void visit_step(const std::shared_ptr<Loop>& region, Roundings condition) {
    const Roundings inside = std::max({condition, of(region->condition), of(region->trips)});
    if (region->executed) raise(symbols_[region->executed->name], inside);
    steps(region->body, inside);
  }

  Roundings of(const Let& let) {
    Roundings found = Roundings::none;
    for (const Expr& body : let.body) found = std::max(found, of(body));
    const bool rounds =
        (let.op == Combiner::sum || let.op == Combiner::product) && is_float(let.accumulator.at(0));
    return rounds ? Roundings::many : found;
  }

  Roundings of(const Index& index) {
    Roundings found = Roundings::none;
    std::vector<ExprPtr> data;
    index.collect_data(data);
    for (const ExprPtr& expr : data) found = std::max(found, of(Expr(expr)));
    std::vector<Symbol> symbols;
    index.collect_symbols(symbols);
    for (const Symbol& symbol : symbols) {
      const auto known = symbols_.find(symbol->name);
      if (known != symbols_.end()) found = std::max(found, known->second);
    }
    return found;
  }

  Roundings of(const Expr& expr) {
    const auto known = known_.find(&*expr);
    if (known != known_.end()) return known->second;
    const Roundings found = count(*expr);
    kept_.push_back(expr);
    known_.emplace(&*expr, found);
    return found;
  }

  Roundings count(const ExprNode& node) {
    Roundings found = Roundings::none;
    for (const Expr& operand : node.operands) found = std::max(found, of(operand));
    for (const Index& index : node.at) found = std::max(found, of(index));
    for (const Expr::Case& one : node.cases) {
      found = std::max(found, of(one.value));
      for (const Condition& guard : one.guard) found = std::max(found, of(guard.index));
    }
    switch (node.kind) {
      case ExprKind::constant:
      case ExprKind::select:
      case ExprKind::cases:
        return found;
      case ExprKind::index:
        return std::max(found, of(node.index));
      case ExprKind::load:
        return std::max(found, values_[static_cast<size_t>(node.id)]);
      case ExprKind::let:
        return std::max(found, lets_.at(static_cast<size_t>(node.id)));
      case ExprKind::unary:
        return count_unary(node, found);
      case ExprKind::binary:
        return count_binary(node, found);
      case ExprKind::fused:
        return after_one_more(found);
      case ExprKind::cast:
        if (!is_float(node.storage) || holds(node.storage, node.operands[0].type())) return found;
        // Converters to bf16 that cut off instead of rounding are common; ONNX's data hold both.
        if (node.storage == Type::bf16) return Roundings::many;
        return found == Roundings::one && is_float(node.operands[0].type()) ? found
                                                                            : after_one_more(found);
    }
    return Roundings::many;
  }

  static Roundings count_unary(const ExprNode& node, Roundings found) {
    if (!is_float(node.type)) return found;
    switch (node.unary()) {
      case Unary::neg:
      case Unary::abs:
      case Unary::sign:
      case Unary::floor:
      case Unary::ceil:
      case Unary::trunc:
      case Unary::round:
        return found;
      case Unary::sqrt:
        return after_one_more(found);
      default:
        return Roundings::many;
    }
  }

  static Roundings count_binary(const ExprNode& node, Roundings found) {
    if (!is_float(node.type)) return found;
    switch (node.binary()) {
      case Binary::add:
      case Binary::sub:
      case Binary::mul:
      case Binary::div:
        return after_one_more(found);
      case Binary::min:
      case Binary::max:
      case Binary::fmod:
        return found;
      default:
        return Roundings::many;
    }
  }

  const KernelGraph& graph_;
  std::vector<Roundings> values_;
  std::map<std::string, Roundings, std::less<>> symbols_;
  std::vector<Roundings> lets_;                           // of the kernel at hand
  std::unordered_map<const ExprNode*, Roundings> known_;  // of the step at hand
  std::vector<Expr> kept_;
  bool changed_ = false;
};

}  // namespace

std::vector<Roundings> roundings_of(const KernelGraph& graph,
                                    const std::function<bool(ValueId)>& given) {
  return Counter(graph, given).run();
}

}  // namespace burin
