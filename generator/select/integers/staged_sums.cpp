#include "select/integers/staged_sums.h"

#include <algorithm>

#include "support/at.h"

namespace burin {

Expr sums_of_staged(IntegerPlan& plan, IntegerFactor& factor, const std::vector<int>& own,
                    const Expr& times) {
  Kernel& kernel = plan.kernel;
  Let sum;
  sum.over = plan.batch;
  sum.over.insert(sum.over.end(), own.begin(), own.end());
  std::sort(sum.over.begin(), sum.over.end());
  sum.reduced = kernel.lets.back().reduced;
  sum.op = Combiner::sum;
  const Expr element = Expr::cast(Type::i32, factor.staged);
  sum.body = {times ? times * element : element};
  sum.accumulator = {Type::i32};
  factor.sums = static_cast<int>(kernel.lets.size()) - 1;
  kernel.lets.insert(kernel.lets.end() - 1, sum);
  std::vector<Index> point;
  for (const int one : sum.over) point.push_back(Index::axis(one, kernel.axes[at(one)].extent));
  return Expr::let(factor.sums, Type::i32, point);
}

}  // namespace burin
