#include "support/version.h"

namespace burin {

std::string_view version() { return BURIN_VERSION; }

}  // namespace burin
