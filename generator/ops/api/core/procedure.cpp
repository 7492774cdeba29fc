#include "ops/api/core/procedure.h"

namespace burin {

void emit_counted(OpContext& op, Procedure procedure, const Symbol& count, const Dim& most,
                  const std::vector<CountedOutput>& outputs) {
  // Checks of what the procedure determines come after it.
  Steps checks;
  // What a user says of the count leaves no more places than that.
  Dim capacity = count->max == kUnbounded ? most : min(most, count->max);
  const Dim symbol = Index::symbol(count);
  op.collect(checks, [&] {
    for (const CountedOutput& output : outputs) {
      const Operand y = op.output(output.number, output.type, output.shape);
      procedure.writes.push_back(y.value());
      for (size_t d = 0; d < output.shape.size(); ++d) {
        if (output.shape[d] == symbol && y.shape()[d] != symbol)
          capacity = min(capacity, y.shape()[d]);
      }
    }
  });
  procedure.arguments.insert(procedure.arguments.begin(), capacity);
  procedure.results = {count};
  op.emit(std::move(procedure));
  for (Step& step : checks) op.emit(std::move(step));
}

Dim elements_of(const OpContext& op, const Operand& tensor) {
  return tensor.type() == Type::string ? op.string_bytes() : int64_t{1};
}

Lines lines_of(const Shape& shape, int axis) {
  Lines lines;
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    Dim& side = d < axis ? lines.outer : d == axis ? lines.axis : lines.inner;
    side = side * shape[static_cast<size_t>(d)];
  }
  return lines;
}

}  // namespace burin
