#include "fuse/movement/checked_sizes.h"

#include <algorithm>
#include <map>

#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

// A size of the caller, and how many times `units` it is.
struct Multiple {
  Symbol size;
  int64_t of = 1;
  Dim units;
};

// Whether a condition says that a size is m * ((size + c) // m).
std::optional<Multiple> multiple_in(const Condition& condition) {
  if (condition.hi.is_constant(kUnbounded) || condition.hi - condition.lo != Index(1))
    return std::nullopt;
  const Index zero = condition.index - condition.lo;
  const std::vector<Index::Term> terms = zero.terms();
  if (terms.size() != 2 || zero.constant_term() != 0) return std::nullopt;
  for (const size_t first : {0, 1}) {
    const Index::Term &size = terms[first], &rest = terms[1 - first];
    if (std::abs(size.coefficient) != 1 || size.atoms.size() != 1 || rest.atoms.size() != 1)
      continue;
    const Index &symbol = size.atoms[0], &units = rest.atoms[0];
    if (symbol.kind() != IndexKind::symbol || units.kind() != IndexKind::floordiv ||
        symbol.as_symbol()->origin != SymbolOrigin::param)
      continue;
    const Index added = units.operands()[0] - symbol;
    const std::optional<int64_t> of = units.operands()[1].as_constant(), c = added.as_constant();
    if (of && c && *of > 1 && *c >= 0 && *c < *of && rest.coefficient == -size.coefficient * *of)
      return Multiple{symbol.as_symbol(), *of, units};
  }
  return std::nullopt;
}

// Of each size the greatest number that it is a multiple of.
std::map<std::string, Multiple> multiples_in(const Steps& steps) {
  std::map<std::string, Multiple> out;
  for (const Step& step : steps) {
    const auto* check = std::get_if<Check>(&step);
    if (!check) break;  // from here on something has been done with sizes that were not checked
    for (const Condition& condition : check->guard) {
      const std::optional<Multiple> one = multiple_in(condition);
      if (!one) continue;
      const auto [found, is_new] = out.try_emplace(one->size->name, *one);
      if (!is_new && found->second.of < one->of) found->second = *one;
    }
  }
  return out;
}

// A size in its units, and then what the units are: the first step makes everything linear.
class InUnits {
 public:
  explicit InUnits(const Multiple& multiple) : multiple_(multiple) {
    const int64_t of = multiple.of;
    SymbolInfo info = *multiple.size;
    info.name = multiple.size->name + " in units";
    info.min = (info.min + of - 1) / of;
    if (info.max != kUnbounded) info.max /= of;
    info.hint /= of;
    info.most = {};
    units_ = std::make_shared<const SymbolInfo>(std::move(info));
  }

  template <class T>
  T operator()(const T& one) const {
    return substituted(substituted(one, multiple_.size->name, Index::symbol(units_) * multiple_.of),
                       units_->name, multiple_.units);
  }

 private:
  static Dim substituted(const Dim& dim, const std::string& name, const Dim& value) {
    return dim.substitute_symbol(name, value);
  }
  static Expr substituted(const Expr& expr, const std::string& name, const Dim& value) {
    return substitute_symbol(expr, name, value);
  }

  const Multiple& multiple_;
  Symbol units_;
};

void change(Kernel& kernel, const InUnits& in_units) {
  const auto change_guard = [&](Guard& guard) {
    for (Condition& one : guard) one = {in_units(one.index), in_units(one.lo), in_units(one.hi)};
  };
  for (Axis& axis : kernel.axes) axis.extent = in_units(axis.extent);
  for (Let& let : kernel.lets) {
    for (Expr& body : let.body) body = in_units(body);
  }
  for (Write& write : kernel.writes) {
    for (Index& index : write.at) index = in_units(index);
    write.value = in_units(write.value);
    change_guard(write.when);
  }
}

}  // namespace

KernelGraph with_checked_sizes(KernelGraph graph) {
  for (const auto& [name, multiple] : multiples_in(graph.steps)) {
    const InUnits in_units(multiple);
    for (Value& value : graph.values) {
      if (value.kind != ValueKind::internal) continue;
      for (Dim& extent : value.shape) extent = in_units(extent);
    }
    graph.steps = with_kernels(graph.steps, [&](StepId, Kernel kernel) {
      change(kernel, in_units);
      return kernel;
    });
  }
  return graph;
}

}  // namespace burin
