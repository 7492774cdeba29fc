// Expressions of templates: parsed and typed when a template is read, evaluated when it is
// rendered.
//
//   expression  = choice ["if" choice "else" expression]
//   choice      = both {"or" both}                 both = negation {"and" negation}
//   negation    = ["not"] comparison               comparison = sum [("==" | "!=" | "<" | "<=" |
//   ">" | ">=") sum] sum         = product {("+" | "-") product}    product = unary {("*" | "//" |
//   "%") unary} unary       = ["-"] postfix                    postfix = primary {"." name | "["
//   expression "]"} primary     = integer | 'text' | "text" | true | false | name | name "("
//   expressions ")" | "(" expression ")"
//
// Functions: len(list), min(int, int), max(int, int), range(end), range(begin, end), join(list,
// string).
// "//" and "%" round towards negative infinity. Private to render/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/value.h"

namespace burin {

struct TemplateExpr {
  enum class Kind {
    kInteger,
    kText,
    kBool,
    kName,
    kField,
    kIndex,
    kCall,
    kUnary,
    kBinary,
    kConditional
  };
  Kind kind = Kind::kInteger;
  TemplateType type;
  int64_t integer = 0;  // kInteger, kBool
  std::string
      name;         // kName (of the variable), kField, kCall, kUnary, kBinary (the operator), kText
  size_t slot = 0;  // kName: place in the environment
  std::vector<TemplateExpr> args;  // kConditional: condition, then, else
};

// A name in scope while a template is read.
struct TemplateVariable {
  std::string name;
  TemplateType type;
  int line = 0;
  bool used = false;
};

struct SourceLine {
  std::string file;
  int number = 0;
  [[noreturn]] void fail(const std::string& message) const;  // TemplateError
};

// Parses all of `text`. Marks variables as used.
TemplateExpr parse_expression(std::string_view text, std::vector<TemplateVariable>& scope,
                              const SourceLine& line);

// Whether ${...} can print values of this type.
bool is_printable(const TemplateType& type);

// Variables stay where their values are: a list has a row for each step of a network.
using TemplateValues = std::vector<const TemplateValue*>;

// Value of an expression; `environment[slot]` are the variables. May refer to `scratch` or
// into a variable.
const TemplateValue& evaluate(const TemplateExpr& expression, const TemplateValues& environment,
                              const SourceLine& line, TemplateValue& scratch);

}  // namespace burin
