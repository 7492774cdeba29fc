#include "backends/packages/size_function.h"

#include "support/check.h"

namespace burin::packages {
namespace {

class Speller {
 public:
  Speller(const std::string& prefix, const std::function<std::string(const Symbol&)>& spell)
      : prefix_(prefix), spell_(spell) {}

  std::string sum(const Dim& dim) const {
    std::string out;
    for (const Index::Term& term : dim.terms()) {
      std::string text = term.coefficient == 1 ? "" : std::to_string(term.coefficient);
      for (const Index& one : term.atoms) text += (text.empty() ? "" : " * ") + atom(one);
      out += (out.empty() ? "" : " + ") + text;
    }
    const int64_t constant = dim.constant_term();
    if (constant != 0 || out.empty()) out += (out.empty() ? "" : " + ") + std::to_string(constant);
    return out;
  }

 private:
  std::string atom(const Index& index) const {
    switch (index.kind()) {
      case IndexKind::symbol:
        return spell_(index.as_symbol());
      case IndexKind::floordiv:
        return call("floor_div", index);
      case IndexKind::mod:
        return call("floor_mod", index);
      case IndexKind::min:
        return call("least", index);
      case IndexKind::max:
        return call("greatest", index);
      default:
        return "(" + sum(index) + ")";
    }
  }

  // Of two at a time.
  std::string call(const char* name, const Index& index) const {
    const std::vector<Index>& operands = index.operands();
    BURIN_CHECK(operands.size() >= 2, "an operation of fewer than two operands");
    std::string out = sum(operands[0]);
    for (size_t i = 1; i < operands.size(); ++i)
      out = prefix_ + name + "(" + out + ", " + sum(operands[i]) + ")";
    return out;
  }

  const std::string& prefix_;
  const std::function<std::string(const Symbol&)>& spell_;
};

}  // namespace

std::string size_function(const Dim& dim, const std::string& prefix,
                          const std::function<std::string(const Symbol&)>& spell) {
  return Speller(prefix, spell).sum(dim);
}

}  // namespace burin::packages
