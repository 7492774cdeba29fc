// The text of an Index, read back. The other direction, to_string(), is declared in
// kernel/index/index.h.
//
//   sum     = product (("+" | "-") product)*
//   product = factor (("*" | "//" | "%") factor)*        from left to right
//   factor  = integer | symbol | axis | "(" sum ")" | ("min" | "max") "(" sum ("," sum)* ")"
//   symbol  = identifier | "string"                      an identifier that looks like an axis, and
//   axis    = "i" digits                                 min and max, stand in quotes as symbols
//
// parse_index(to_string(x)) == x for every x without data leaves; those print as {expression} and
// are read back by who gives `data`, which gets the cursor behind the "{" and leaves it behind "}".
#pragma once

#include <functional>
#include <string_view>

#include "kernel/index/index.h"

namespace burin {

class TextCursor;

// What names in the text stand for. A missing function or an empty answer refuses the name.
struct IndexLeaves {
  std::function<std::optional<Index>(std::string_view name)> symbol;
  std::function<std::optional<Index>(int axis)> axis;
  std::function<Index(TextCursor& cursor)> data{};
};

// Refuses as "parse" with line:column.
Index parse_index(std::string_view text, const IndexLeaves& leaves);
Index parse_index(TextCursor& cursor,
                  const IndexLeaves& leaves);  // leaves the cursor behind the index

// The name of a symbol as it stands in text.
std::string symbol_text(std::string_view name);

}  // namespace burin
