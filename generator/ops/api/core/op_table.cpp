#include "ops/api/core/op_table.h"

#include <algorithm>
#include <tuple>

namespace burin {

#define BURIN_OP(stem)  \
  namespace stem##_op { \
    OpDef definition(); \
  }
#include "ops.def"
#undef BURIN_OP

const std::vector<OpDef>& op_table() {
  static const std::vector<OpDef> table = [] {
    std::vector<OpDef> all = {
#define BURIN_OP(stem) stem##_op::definition(),
#include "ops.def"
#undef BURIN_OP
    };
    std::sort(all.begin(), all.end(), [](const OpDef& a, const OpDef& b) {
      return std::tie(a.domain, a.name, a.since) < std::tie(b.domain, b.name, b.since);
    });
    return all;
  }();
  return table;
}

const OpDef* find_op(std::string_view domain, std::string_view name, int version) {
  for (const OpDef& def : op_table()) {
    if (def.domain == domain && def.name == name && def.since <= version && version <= def.until)
      return &def;
  }
  return nullptr;
}

std::string to_string(TypeSet types) {
  std::string out;
  for (int i = 0; i < kTypeCount; ++i) {
    const Type type = static_cast<Type>(i);
    if (!types.contains(type)) continue;
    if (!out.empty()) out += ' ';
    out += to_string(type);
  }
  if (types.bits & types::sequence.bits) out += out.empty() ? "sequence" : " sequence";
  if (types.bits & types::optional.bits) out += out.empty() ? "optional" : " optional";
  return out;
}

}  // namespace burin
