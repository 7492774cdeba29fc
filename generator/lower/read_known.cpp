#include "lower/read_known.h"

#include <algorithm>

#include "kernel/index/size_bound.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

bool is_number(const SymbolicElement& element) {
  if (!element.is_known() || element.rounded || element.denominator != 1) return false;
  return element.number || element.numerator.is_constant();
}

// Row-major; nullopt where the point is no number or lies outside.
std::optional<size_t> place_of_element(const std::vector<Index>& at,
                                       const std::vector<Dim>& shape) {
  if (at.size() != shape.size()) return std::nullopt;
  int64_t place = 0;
  for (size_t d = 0; d < at.size(); ++d) {
    const std::optional<int64_t> extent = shape[d].as_constant(), index = at[d].as_constant();
    if (!extent || !index || *index < 0 || *index >= *extent) return std::nullopt;
    place = place * *extent + *index;
  }
  return static_cast<size_t>(place);
}

class KnownReads {
 public:
  KnownReads(const std::vector<Value>& values, const std::map<ValueId, SymbolicElements>& known)
      : values_(values), known_(known) {}

  bool any(const Step& step) const {
    const std::vector<ValueId> reads = reads_of(step);
    return std::any_of(reads.begin(), reads.end(),
                       [&](ValueId id) { return known_.find(id) != known_.end(); });
  }

  Expr operator()(const Expr& expr) const {
    if (expr.kind() != ExprKind::load) return expr;
    const auto elements = known_.find(expr->id);
    if (elements == known_.end()) return expr;
    const auto place = place_of_element(expr->at, values_[static_cast<size_t>(expr->id)].shape);
    if (!place || *place >= elements->second.size()) return expr;
    const std::optional<SymbolicElement>& element = elements->second[*place];
    return element ? read(expr, *element) : expr;
  }

 private:
  static Expr read(const Expr& load, const SymbolicElement& element) {
    if (is_float(load->storage)) {
      return element.number && is_number(element) ? Expr::constant(load.type(), *element.number)
                                                  : load;
    }
    if (!element.is_integer()) return load;
    if (element.numerator.is_constant())
      return Expr::constant(load.type(), element.numerator.constant());
    // Dynamic sizes and counters of loops change while it goes on; those of the caller do not.
    if (!is_known_before_run(element.numerator) || !is_small(element.numerator)) return load;
    return Expr::cast(load->storage, Expr::index(element.numerator));
  }

  const std::vector<Value>& values_;
  const std::map<ValueId, SymbolicElements>& known_;
};

}  // namespace

void read_known(Steps& steps, const std::vector<Value>& values,
                const std::map<ValueId, SymbolicElements>& known) {
  const KnownReads reads(values, known);
  for (Step& step : steps) {
    if (!reads.any(step)) continue;
    if (Kernel* kernel = std::get_if<Kernel>(&step)) {
      rewrite_exprs(*kernel, reads);
    } else if (Bind* bind = std::get_if<Bind>(&step)) {
      bind->value = rewrite(bind->value, reads, [](const Index& leaf) { return leaf; });
    }
  }
}

std::optional<HostTensor> tensor_of(const Value& value, const SymbolicElements& elements) {
  std::vector<int64_t> shape;
  for (const Dim& dim : value.shape) {
    if (!dim.is_constant()) return std::nullopt;
    shape.push_back(dim.constant());
  }
  HostTensor out = make_tensor(value.type, shape);
  if (out.elements() != static_cast<int64_t>(elements.size())) return std::nullopt;
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::optional<SymbolicElement>& element = elements[i];
    if (!element || !is_number(*element)) return std::nullopt;
    if (is_float(value.type) != element->number.has_value()) return std::nullopt;
    ScalarValue scalar;
    if (element->number)
      scalar.number = *element->number;
    else
      scalar.integer = element->numerator.constant();
    out.set(static_cast<int64_t>(i), scalar);
  }
  return out;
}

}  // namespace burin
