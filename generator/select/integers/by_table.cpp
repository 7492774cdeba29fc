#include "select/integers/by_table.h"

#include <algorithm>
#include <set>

#include "isa/byte_rows.h"
#include "select/bytes/known_rows.h"
#include "support/at.h"

namespace burin {
namespace {

bool is_made_of_sum(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const ExprNode& node) { found = found || node.kind == ExprKind::let; });
  return found;
}

// Bytes that are made of the sum and that the value is made of, the innermost ones first.
std::vector<Expr> bytes_behind(const Expr& value) {
  std::vector<Expr> out, next(value->operands.begin(), value->operands.end());
  std::set<Expr> seen;
  for (size_t k = 0; k < next.size(); ++k) {
    const Expr one = next[k];
    if (!seen.insert(one).second) continue;
    next.insert(next.end(), one->operands.begin(), one->operands.end());
    if (one.kind() == ExprKind::cast && one->mode == CastMode::saturate && is_byte(one->storage) &&
        is_made_of_sum(one))
      out.push_back(one);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

std::optional<ByLine> find_by_table(IntegerPlan& plan, std::vector<Value>& values,
                                    const Hardware& hardware) {
  Write& write = plan.kernel.writes[0];
  if (!has_tables(hardware) || has_row(hardware, isa::kLineInstruction) || !write.when.empty() ||
      !is_byte(values[at(write.to)].type) || (plan.n < 0 && !plan.window))
    return std::nullopt;
  for (const Expr& byte : bytes_behind(write.value)) {
    ByLine out;
    out.byte = byte;
    out.lanes = {{plan.n}, byte};
    if (plan.window) out.lanes.axes = {plan.window->rows.output, plan.window->columns.output};
    out.rest = find_byte_ops(write.value, plan.kernel, out.lanes, values, hardware);
    if (!out.rest) continue;
    out.exact = write.value = out.rest->value;
    return out;
  }
  return std::nullopt;
}

}  // namespace burin
