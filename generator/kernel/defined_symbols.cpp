#include "kernel/defined_symbols.h"

namespace burin {

std::set<std::string> defined_symbols(const Step& step) {
  std::set<std::string> names;
  for_each_step({step}, [&](const Step& inner) {
    if (const Bind* bind = std::get_if<Bind>(&inner)) names.insert(bind->symbol->name);
    if (const Procedure* procedure = std::get_if<Procedure>(&inner)) {
      for (const Symbol& symbol : procedure->results) names.insert(symbol->name);
    }
    if (const auto* loop = std::get_if<std::shared_ptr<Loop>>(&inner)) {
      if ((*loop)->executed) names.insert((*loop)->executed->name);
    }
  });
  return names;
}

}  // namespace burin
