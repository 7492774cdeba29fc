#include "print/language.h"

#include "support/check.h"

namespace burin::print {

std::string Language::no_form() {
  BURIN_CHECK(false, "a statement that the language has no form of");
  return {};
}
std::string Language::component(const std::string&, const std::string&, const std::string&,
                                Headers&) const {
  return no_form();
}

}  // namespace burin::print
