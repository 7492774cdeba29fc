#include "kernel/procedures/procedure_kernels.h"

#include <algorithm>

#include "kernel/layout.h"
#include "kernel/procedures/procedure_forms.h"

namespace burin {

std::optional<ProcedureKernels> as_kernels(const Procedure& procedure, std::vector<Value>& values) {
  if (procedure.function == "non_zero") return compaction_kernels(procedure, values);
  if (procedure.function == "top_k") return ranking_kernels(procedure, values);
  if (procedure.function == "unique") return distinct_kernels(procedure, values);
  if (procedure.function == "non_max_suppression") return suppression_kernels(procedure, values);
  return std::nullopt;
}

Expr both(const Expr& a, const Expr& b) { return Expr::binary(Binary::logical_and, a, b); }

Expr exceeds(const Expr& a, const Expr& b) {
  const Expr more = compare(Binary::gt, a, b);
  if (!is_float(a.type())) return more;
  const Expr number = Expr::unary(Unary::logical_not, Expr::unary(Unary::is_nan, b));
  return Expr::binary(Binary::logical_or, more, both(Expr::unary(Unary::is_nan, a), number));
}

Expr is_same(const Expr& a, const Expr& b) {
  const Expr equal = compare(Binary::eq, a, b);
  if (!is_float(a.type())) return equal;
  return Expr::binary(Binary::logical_or, equal,
                      both(Expr::unary(Unary::is_nan, a), Expr::unary(Unary::is_nan, b)));
}

std::optional<size_t> line_of(const std::vector<Dim>& shape, const Dim& outer, const Dim& inner) {
  for (size_t d = 0; d < shape.size(); ++d) {
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(d);
    if (product({shape.begin(), at}) == outer && product({at + 1, shape.end()}) == inner) return d;
  }
  return std::nullopt;
}

ValueId FormBuilder::add(const char* name, Type type, std::vector<Dim> shape) {
  Value value;
  value.name = procedure_.name + "_" + name;
  value.type = type;
  value.shape = std::move(shape);
  values_.push_back(std::move(value));
  return static_cast<ValueId>(values_.size()) - 1;
}

Kernel FormBuilder::kernel(const char* what) const {
  Kernel out;
  out.name = procedure_.name + "_" + what;
  out.origins = procedure_.origins;
  return out;
}

Index number_below(const Expr& number, const Dim& extent) {
  const int64_t most = extent.range().hi;
  return Index::data(number.ptr(), {0, most == kUnbounded ? most : std::max<int64_t>(0, most - 1)});
}

Condition where(const Expr& boolean) {
  return {Index::data(Expr::cast(Type::i64, boolean).ptr(), {0, 1}), 1, 2};
}

}  // namespace burin
