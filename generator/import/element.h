// Element types by their number in the file.
#pragma once

#include <string>

#include "kernel/expr/type.h"

namespace burin {

// "FLOAT16" as the specification spells it; "element type 99" where it does not.
std::string element_name(int element);

// Type::none where burin has no such type.
Type find_element_type(int element);

// The same, but refuses as "type" what burin has not.
Type element_type(int element);

}  // namespace burin
