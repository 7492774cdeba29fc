// TopK: an element's place is the number of elements that come before it, so each counts those of
// its line and, where that is less than k, writes itself there. A line of n takes n^2 comparisons,
// all of them independent.
#include <cmath>

#include "kernel/layout.h"
#include "kernel/procedure_forms.h"

namespace burin {
namespace {

// The order of runtime_min/procedures/order.h: NaN is the largest.
Expr exceeds(const Expr& a, const Expr& b) {
  const Expr more = compare(Binary::gt, a, b);
  if (!is_float(a.type())) return more;
  const Expr number = Expr::unary(Unary::logical_not, Expr::unary(Unary::is_nan, b));
  return Expr::binary(Binary::logical_or, more,
                      Expr::binary(Binary::logical_and, Expr::unary(Unary::is_nan, a), number));
}

// The dimension of `shape` that lines run along.
std::optional<size_t> line_of(const std::vector<Dim>& shape, const Dim& outer, const Dim& inner) {
  for (size_t d = 0; d < shape.size(); ++d) {
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(d);
    if (product({shape.begin(), at}) == outer && product({at + 1, shape.end()}) == inner) return d;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ProcedureKernels> ranking_kernels(const Procedure& procedure,
                                                std::vector<Value>& values) {
  const Value& x = values[static_cast<size_t>(procedure.reads[0])];
  const Dim &outer = procedure.arguments[0], &extent = procedure.arguments[1];
  const Dim &inner = procedure.arguments[2], &k = procedure.arguments[3];
  const std::optional<size_t> line = line_of(x.shape, outer, inner);
  if (!line || !(x.shape[*line] == extent) || !procedure.arguments[4].is_constant())
    return std::nullopt;
  const bool largest = !procedure.arguments[4].is_constant(0);

  Kernel kernel;
  kernel.name = procedure.name;
  kernel.origins = procedure.origins;
  std::vector<int> over;
  std::vector<Index> at;
  for (const Dim& dim : x.shape) {
    over.push_back(static_cast<int>(over.size()));
    kernel.axes.push_back({dim, AxisKind::parallel, ""});
    at.push_back(Index::axis(over.back(), dim));
  }
  const auto other = static_cast<int>(over.size());
  kernel.axes.push_back({extent, AxisKind::reduce, "other"});
  std::vector<Index> beside = at;
  beside[*line] = Index::axis(other, extent);
  const Expr own = Expr::load(procedure.reads[0], x.type, at);
  const Expr one = Expr::load(procedure.reads[0], x.type, beside);
  const Expr before = largest ? exceeds(one, own) : exceeds(own, one);
  const Expr behind = largest ? exceeds(own, one) : exceeds(one, own);
  const Expr first = compare(Binary::lt, Expr::index(beside[*line]), Expr::index(at[*line]));
  const Expr equal =
      Expr::binary(Binary::logical_and, Expr::unary(Unary::logical_not, behind), first);
  const Expr counts = Expr::binary(Binary::logical_or, before, equal);
  kernel.lets = {{over, {other}, Combiner::sum, {Expr::cast(Type::i64, counts)}, {Type::i64}}};

  const int64_t most = extent.range().hi;
  const Index place =
      Index::data(Expr::let(0, Type::i64, at).ptr(), {0, most == kUnbounded ? most : most - 1});
  std::vector<Index> to = at;
  to[*line] = place;
  const Guard when = {{place, 0, k}};
  kernel.writes = {{over, procedure.writes[0], to, own, when, How::store},
                   {over, procedure.writes[1], to, Expr::index(at[*line]), when, How::store}};

  const auto lines = static_cast<double>(at_hints(outer)) * static_cast<double>(at_hints(inner));
  const auto points = static_cast<double>(at_hints(extent));
  const double heap = std::log2(std::max(2.0, static_cast<double>(at_hints(k))));
  return ProcedureKernels{
      {std::move(kernel)}, lines * points * points, lines * points * heap, x.type == Type::f64};
}

}  // namespace burin
