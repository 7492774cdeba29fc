#include "print/definitions.h"

#include "print/kernel_printer_core.h"
#include "support/at.h"

namespace burin::print {

std::string name_of(const loops::Stmt& stmt, const loops::Program& program) {
  if (const auto* name = std::get_if<loops::Name>(&stmt.node)) return name->name;
  const auto* let = std::get_if<loops::Let>(&stmt.node);
  return let == nullptr ? std::string() : program.vars[burin::at(let->var)].name;
}

void Definitions::drop_unused() {
  for (size_t i = all_.size(); i-- > 0;) {
    const Definition& one = all_[i];
    if (!mentions(std::string_view(text_.text()).substr(one.end), one.name))
      text_.erase(one.start, one.end - one.start);
  }
}

}  // namespace burin::print
