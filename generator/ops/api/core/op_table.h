// The table of all operators: every op_<stem>() that the build found, sorted by domain and name.
#pragma once

#include <string_view>
#include <vector>

#include "ops/api/core/op_def.h"

namespace burin {

const std::vector<OpDef>& op_table();  // built once, never changes
const OpDef* find_op(std::string_view domain, std::string_view name, int version);

}  // namespace burin
