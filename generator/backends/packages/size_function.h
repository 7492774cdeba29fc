// Sizes as expressions that C, Python, Rust and Java all read: divisions, least and greatest are
// calls of functions that each binding brings.
#pragma once

#include <functional>
#include <string>

#include "kernel/index/index.h"

namespace burin::packages {

// `spell`: a symbol of the caller; `prefix`: of the functions floor_div, floor_mod, least and
// greatest. Size of the text: that of the expression.
std::string size_function(const Dim& dim, const std::string& prefix,
                          const std::function<std::string(const Symbol&)>& spell);

}  // namespace burin::packages
