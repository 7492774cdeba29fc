#include "support/check.h"

#include <string_view>

namespace burin {

void check_failed(const char* condition, const char* file, int line, const std::string& detail) {
  // The path of the source as the compiler saw it may be absolute; only the part inside the project
  // is of use, and the rest must not depend on where burin was built.
  std::string_view path = file;
  if (const size_t at = path.rfind("generator/"); at != std::string_view::npos) {
    path.remove_prefix(at);
  }
  std::string text = std::string(path) + ":" + std::to_string(line) + ": " + condition;
  if (!detail.empty()) text += " (" + detail + ")";
  throw InternalError(text);
}

}  // namespace burin
