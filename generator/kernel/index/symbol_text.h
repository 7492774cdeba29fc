// The declaration of a symbol in the text of a Graph or of a program of loops: "N param 1..512 @128", "\"a b\" unknown
// 0..inf".
#pragma once

#include <string>

#include "kernel/index/index.h"
#include "kernel/index/text_cursor.h"

namespace burin {

std::string declaration_text(const SymbolInfo& symbol);
Symbol parse_declaration(TextCursor& cursor);  // refuses as "parse"

}  // namespace burin
