#include "kernel/index/divisions.h"

namespace burin {

void collect_divisions(const Index& index, std::vector<Index>& divisions) {
  for (const Index::Term& term : index.terms()) {
    for (const Index& atom : term.atoms) {
      if (atom.kind() == IndexKind::axis) continue;
      for (const Index& operand : atom.operands()) collect_divisions(operand, divisions);
      if (atom.kind() == IndexKind::floordiv || atom.kind() == IndexKind::mod)
        divisions.push_back(atom);
    }
  }
}

}  // namespace burin
