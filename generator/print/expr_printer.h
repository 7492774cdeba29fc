// Prints expressions as statements: what is used twice becomes a named constant, what is guarded is
// computed under an `if`.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernel/expr/expr_table.h"
#include "print/language.h"
#include "print/text_builder.h"

namespace burin::print {

class ExprPrinter {
 public:
  // How leaves are spelled; given by the kernel printer.
  struct Names {
    std::function<std::string(int axis)> axis;
    std::function<std::string(const Symbol&)> symbol;
    std::function<std::string(const ExprNode& load)> load;  // an element of storage type: "x0[...]"
    std::function<std::string(const ExprNode& let)> let;
    // The value of a load that is no element of an array; empty text: it is one.
    std::function<std::string(const ExprNode& load)> value{};
  };

  // Names of intermediates: a letter, a number and a suffix. Printers that write into one scope
  // share them.
  struct Locals {
    int next = 0;
    std::string suffix{};
  };

  ExprPrinter(TextBuilder& out, Headers& headers, Names names, const Language& language,
              Locals* locals = nullptr)
      : out_(out),
        headers_(headers),
        names_(std::move(names)),
        shared_locals_(locals),
        language_(language),
        index_type_(language.index_type(64)) {}

  // The type of indices: the language's of 64 bits unless another is set.
  void set_index_type(std::string type) { index_type_ = std::move(type); }

  // A scope of named intermediates; they are visible until it closes.
  void open_scope() { scopes_.emplace_back(); }
  void close_scope() { scopes_.pop_back(); }

  // Texts of `exprs`, to be used in the next statement; emits the definitions they share before it.
  std::vector<std::string> texts(const std::vector<Expr>& exprs);
  std::string text(const Expr& expr) { return texts({expr})[0]; }
  // What a load names, as it lies in memory.
  std::string element(const Expr& load);
  std::string text(const Index& index);
  std::string text(const Guard& guard);      // a condition
  std::string opposite(const Guard& guard);  // the condition that it does not hold

  // From here to the end of the scope, `index` is the variable `name`.
  void name_index(const Index& index, const std::string& name) {
    scopes_.back().indices[index] = name;
  }
  bool has_name(const Index& index) const { return find(index) != nullptr; }
  std::string fresh(const char* prefix) {
    Locals& locals = shared_locals_ ? *shared_locals_ : own_locals_;
    return prefix + std::to_string(locals.next++) + locals.suffix;
  }

 private:
  struct Scope {
    ExprMap<std::string> values;
    std::map<Index, std::string> indices;
  };
  using Counts = ExprMap<int>;

  const std::string* find(const Expr& expr) const;
  const std::string* find(const Index& index) const;
  static void count(const Expr& expr, Counts& counts);
  static void count(const Index& index, Counts& counts);
  std::string print(const Expr& expr, const Counts& counts);
  void print_indices(const ExprNode& load, const Counts& counts);
  std::string compute(const Expr& expr, const Counts& counts);
  std::string guarded(const Expr& expr, const Counts& counts);
  std::string print(const Index& index, const Counts& counts);
  std::string print_atom(const Index& atom, const Counts& counts);

  TextBuilder& out_;
  Headers& headers_;
  Names names_;
  std::vector<Scope> scopes_{1};
  Locals* shared_locals_;
  Locals own_locals_;
  const Language& language_;
  std::string index_type_;
};

// The text without a pair of parentheses that encloses all of it.
std::string without_parentheses(const std::string& text);

}  // namespace burin::print
