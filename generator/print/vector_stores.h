// Stores of a loop over lanes as statements on whole vectors (runtime_min/lanes.h); what has such a
// form is said by loops/lanewise.h.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loops/program.h"
#include "print/expr_printer.h"

namespace burin::print {

class VectorStores {
 public:
  // An element of a buffer, as text: "x0[4 * i0]".
  using Element = std::function<std::string(loops::BufferId, const std::vector<Index>&)>;

  VectorStores(const loops::Program& program, const loops::For& loop, Element element,
               const Language& language, TextBuilder& text, ExprPrinter& exprs, Headers& headers);

  void print(const loops::Store& store);

 private:
  // A byte as what is rounded and, for all lanes, what is added then.
  struct Quantised {
    Expr number, zero;
  };
  std::optional<Quantised> quantised(const Expr& limited) const;
  void count(const Expr& expr);
  std::string value(const Expr& expr);
  std::string compute(const Expr& expr);
  std::string in_register(loops::BufferId buffer, const std::vector<Index>& place);
  std::string pointer(loops::BufferId buffer, const std::vector<Index>& at);
  std::string call(const std::string& function, const std::string& arguments) const;
  // Of memory: with a mask only so many lanes are there.
  std::string load(const std::string& function, loops::BufferId buffer,
                   const std::vector<Index>& at);
  std::string stored(const std::string& function, const loops::Store& store,
                     const std::string& arguments);

  const loops::Program& program_;
  const int lane_;
  const Index begin_;
  const std::string lanes_;
  const Element element_;
  const Language& language_;
  TextBuilder& text_;
  ExprPrinter& exprs_;
  Headers& headers_;
  std::string count_;  // of lanes that there are; empty: all
  ExprMap<int> uses_;
  ExprMap<std::string> names_;
};

}  // namespace burin::print
