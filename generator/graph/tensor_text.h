// The text of tensors inside the text of a Graph: f32 [2, 2] {0, -0.5, inf, 0x7fc00001}.
//
// f32 and f64 are written as the shortest decimal that reads back to the same bits, NaNs and the
// narrower floats as their bits in hexadecimal, strings in quotes.
#pragma once

#include <string>

#include "graph/graph.h"
#include "kernel/index/text_cursor.h"

namespace burin {

// Constants of more than `longest` elements become {hash 0x...}, which is not read back.
std::string tensor_text(const Tensor& tensor, int64_t longest);
Tensor parse_tensor(TextCursor& cursor);  // refuses as "parse"

std::string real_text(float value);
float parse_real(TextCursor& cursor);

Type parse_type(TextCursor& cursor);

}  // namespace burin
