#include "print/language.h"

#include "support/check.h"

namespace burin::print {

std::string Language::no_device() {
  BURIN_CHECK(false, "a statement of a device in a language that has none");
  return {};
}
std::string Language::component(const std::string&, const std::string&, const std::string&,
                                Headers&) const {
  return no_device();
}

}  // namespace burin::print
