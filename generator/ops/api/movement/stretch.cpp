#include "ops/api/movement/stretch.h"

#include "support/check.h"

namespace burin {

Expr stretched_at(const Operand& x, const Indices& at) {
  const Shape& shape = x.shape();
  BURIN_CHECK(at.size() >= shape.size(), "rank of a broadcast");
  const size_t skip = at.size() - shape.size();
  Indices own;
  for (size_t d = 0; d < shape.size(); ++d) {
    const Index &i = at[skip + d], clipped = min(i, shape[d] - 1);
    if (clipped.kind() != IndexKind::min || shape[d].is_constant()) {
      own.push_back(clipped);
    } else {
      // From 2 on it is the extent of the result.
      own.push_back(proven_le(2, shape[d]) ? i : i * min(Index(1), shape[d] - 1));
    }
  }
  return x.at(std::move(own));
}

}  // namespace burin
