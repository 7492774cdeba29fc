// The text of indices and expressions for people, with names of the reader's choice. to_string()
// of kernel/index/index.h and kernel/expr/expr.h is the same with the names that dumps use: v3,
// let0, symbols as the model has them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "kernel/expr/expr.h"

namespace burin {

struct TextNames {
  std::function<std::string(ValueId value)> value;
  std::function<std::string(int let, int component)> let;
  std::function<std::string(const Symbol& symbol)> symbol;
  std::function<std::string(const Index& leaf)> data{};  // of data in indices; empty: {expression}
};

std::string to_string(const Index& index, const TextNames& names);
std::string to_string(const Guard& guard, const TextNames& names);
std::string to_string(const Expr& expr, const TextNames& names);

// "+" of operators that stand between their operands; empty: it is written as a function.
std::string_view infix_of(Binary op);

// A number as the dumps and the comments of emitted code show it: nine digits at most, in no
// locale.
std::string number_text(double value);

}  // namespace burin
