#include "select/bytes/exact_bytes.h"

#include "kernel/tensor.h"
#include "select/bytes/values_over.h"
#include "support/at.h"

namespace burin {

// Operands, and the axes of points, come from constants.
std::vector<int64_t> exact_bytes(const Expr& value, const Kernel& kernel,
                                 const std::vector<int>& axes, const std::vector<Expr>& operands,
                                 const std::vector<ByteCombination>& all,
                                 std::vector<Value> values) {
  const auto count = static_cast<int64_t>(all.size());
  Kernel reading;
  reading.axes = {{count, AxisKind::parallel, {}}};
  const Index n = Index::axis(0, count);
  const auto constant = [&](Type type, const auto& number_of) {
    HostTensor tensor = make_tensor(type, {count});
    for (int64_t i = 0; i < count; ++i) tensor.set(i, {0, number_of(all[at(i)])});
    return Expr::load(add_constant(values, "combinations", type, {count}, to_constant(tensor)),
                      type, {n});
  };
  Expr asked = value;
  std::vector<Expr> stand;
  for (size_t k = 0; k < operands.size(); ++k)
    stand.push_back(
        constant(operands[k].type(), [&](const ByteCombination& one) { return one.bytes[k]; }));
  // Behind the axes, which they would take for theirs.
  std::vector<Index> points(kernel.axes.size(), Index(0));
  int64_t inner = 1;
  for (size_t k = axes.size(); k-- > 0;) {
    const int64_t extent = kernel.axes[at(axes[k])].extent.constant();
    const Expr digit = constant(Type::i64, [&](const ByteCombination& one) {
      return static_cast<int64_t>(one.point) / inner % extent;
    });
    points[at(axes[k])] = Index::data(digit.ptr(), {0, extent - 1});
    inner *= extent;
  }
  for (size_t k = 0; k < operands.size(); ++k)
    asked = replaced(asked, operands[k], standing_for(operands[k], k));
  asked = substitute_axes(asked, points);
  for (size_t k = 0; k < operands.size(); ++k)
    asked = replaced(asked, standing_for(operands[k], k), stand[k]);
  const HostTensor got = values_over(asked, reading, {0}, values);
  std::vector<int64_t> out;
  for (int64_t i = 0; i < count; ++i) out.push_back(got.get(i).integer);
  return out;
}

}  // namespace burin
