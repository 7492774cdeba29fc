#include "ops/api/core/scalars.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "kernel/tensor.h"
#include "support/diagnostics.h"

namespace burin {

std::optional<double> scalar_of(const std::optional<Tensor>& tensor) {
  if (!tensor || tensor->type == Type::string || tensor->elements() != 1) return std::nullopt;
  const ScalarValue value = to_tensor(tensor->type, tensor->shape, tensor->content).get(0);
  return is_float(tensor->type) ? value.number : static_cast<double>(value.integer);
}

std::optional<double> scalar_constant(OpContext& op, int i) {
  return op.has_input(i) ? scalar_of(op.constant(i)) : std::nullopt;
}

std::optional<int64_t> known_number(const std::optional<std::vector<Dim>>& known) {
  return known && known->size() == 1 ? (*known)[0].as_constant() : std::nullopt;
}

Type type_of_onnx(int64_t data_type) {
  // The numbers of TensorProto.DataType, from 0 (undefined) on.
  static constexpr Type kTypes[] = {
      Type::none,       Type::f32,    Type::u8,         Type::i8,      Type::u16,  Type::i16,
      Type::i32,        Type::i64,    Type::string,     Type::boolean, Type::f16,  Type::f64,
      Type::u32,        Type::u64,    Type::none,       Type::none,    Type::bf16, Type::f8e4m3fn,
      Type::f8e4m3fnuz, Type::f8e5m2, Type::f8e5m2fnuz, Type::u4,      Type::i4,   Type::f4e2m1,
      Type::f8e8m0,     Type::u2,     Type::i2};
  const bool listed = data_type >= 0 && data_type < static_cast<int64_t>(std::size(kTypes));
  const Type type = listed ? kTypes[data_type] : Type::none;
  if (type == Type::none || type == Type::string) {
    const std::string name = data_type == 8    ? "string"
                             : data_type == 14 ? "complex64"
                             : data_type == 15 ? "complex128"
                                               : std::to_string(data_type);
    refuse("unsupported-type", "element type " + name + " is not one that burin computes with");
  }
  return type;
}

Type type_of_onnx(std::string_view data_type) {
  // Those that opset 5 had, in the order of their numbers.
  static constexpr std::string_view kNames[] = {"UNDEFINED", "FLOAT",  "UINT8",  "INT8",   "UINT16",
                                                "INT16",     "INT32",  "INT64",  "STRING", "BOOL",
                                                "FLOAT16",   "DOUBLE", "UINT32", "UINT64"};
  const auto at = std::find(std::begin(kNames), std::end(kNames), data_type);
  if (at == std::end(kNames))
    refuse("unsupported-type", "element type " + quoted(data_type) + " is not known");
  return type_of_onnx(static_cast<int64_t>(at - std::begin(kNames)));
}

}  // namespace burin
