// C++ as a Language (print/language.h).
#pragma once

#include "backends/cpp/cpp_language.h"
#include "print/language.h"

namespace burin::cpp {

const print::Language& cpp_language();

}  // namespace burin::cpp
