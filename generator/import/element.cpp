#include "import/element.h"

#include <array>
#include <string_view>

#include "support/diagnostics.h"

namespace burin {
namespace {

struct Element {
  std::string_view name;
  Type type;
};

// In the order of the file's numbers, from 0.
constexpr std::array kElements = {
    Element{"UNDEFINED", Type::none},
    Element{"FLOAT", Type::f32},
    Element{"UINT8", Type::u8},
    Element{"INT8", Type::i8},
    Element{"UINT16", Type::u16},
    Element{"INT16", Type::i16},
    Element{"INT32", Type::i32},
    Element{"INT64", Type::i64},
    Element{"STRING", Type::string},
    Element{"BOOL", Type::boolean},
    Element{"FLOAT16", Type::f16},
    Element{"DOUBLE", Type::f64},
    Element{"UINT32", Type::u32},
    Element{"UINT64", Type::u64},
    Element{"COMPLEX64", Type::none},
    Element{"COMPLEX128", Type::none},
    Element{"BFLOAT16", Type::bf16},
    Element{"FLOAT8E4M3FN", Type::f8e4m3fn},
    Element{"FLOAT8E4M3FNUZ", Type::f8e4m3fnuz},
    Element{"FLOAT8E5M2", Type::f8e5m2},
    Element{"FLOAT8E5M2FNUZ", Type::f8e5m2fnuz},
    Element{"UINT4", Type::u4},
    Element{"INT4", Type::i4},
    Element{"FLOAT4E2M1", Type::f4e2m1},
    Element{"FLOAT8E8M0", Type::f8e8m0},
    Element{"UINT2", Type::u2},
    Element{"INT2", Type::i2},
    Element{"FLOAT6E2M3", Type::none},
    Element{"FLOAT6E3M2", Type::none},
};

bool is_listed(int element) {
  return element >= 0 && static_cast<size_t>(element) < kElements.size();
}

}  // namespace

std::string element_name(int element) {
  if (!is_listed(element)) return "element type " + std::to_string(element);
  return std::string(kElements[static_cast<size_t>(element)].name);
}

Type find_element_type(int element) {
  return is_listed(element) ? kElements[static_cast<size_t>(element)].type : Type::none;
}

Type element_type(int element) {
  const Type type = find_element_type(element);
  if (type == Type::none)
    refuse("type", element_name(element) + " is not supported as element type");
  return type;
}

}  // namespace burin
