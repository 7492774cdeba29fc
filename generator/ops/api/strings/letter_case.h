// Upper and lower case of UTF-8, of letters of one and two bytes: Latin with its supplements,
// Greek, Cyrillic, Armenian. Others stay as they are, as do those whose other case has more bytes.
// Source: the simple case mappings of the Unicode Character Database.
#pragma once

#include <string>

#include "ops/api/strings/strings.h"

namespace burin {

enum class LetterCase : uint8_t { as_it_is, lower, upper };

std::string in_case(const std::string& text, LetterCase to);

// Byte number `byte` of the string in that case. The table is made once per node: `mapping`.
Operand case_mapping(OpContext& op, LetterCase to);
Expr byte_in_case(OpContext& op, const Operand& mapping, const ByteReader& string,
                  const Index& byte);

}  // namespace burin
