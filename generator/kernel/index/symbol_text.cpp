#include "kernel/index/symbol_text.h"

#include <utility>

#include "kernel/index/index_text.h"

namespace burin {
namespace {

constexpr std::pair<SymbolOrigin, std::string_view> kOrigins[] = {
    {SymbolOrigin::param, "param"},
    {SymbolOrigin::run, "run"},
    {SymbolOrigin::iter, "iter"},
    {SymbolOrigin::unknown, "unknown"},
};

}  // namespace

std::string declaration_text(const SymbolInfo& symbol) {
  std::string out = symbol_text(symbol.name);
  for (const auto& [origin, name] : kOrigins) {
    if (origin == symbol.origin) out += " " + std::string(name);
  }
  out += " " + std::to_string(symbol.min) + "..";
  out += symbol.max == kUnbounded ? "inf" : std::to_string(symbol.max);
  if (symbol.hint != 0) out += " @" + std::to_string(symbol.hint);
  return out;
}

Symbol parse_declaration(TextCursor& cursor) {
  SymbolInfo info;
  info.name = cursor.word_or_string();
  const std::string origin = cursor.word();
  bool known = false;
  for (const auto& [value, name] : kOrigins) {
    if (name == origin) info.origin = value, known = true;
  }
  if (!known) cursor.refuse_here("expected the origin of a symbol: param, run, iter or unknown");
  info.min = cursor.integer();
  cursor.expect("..");
  info.max = cursor.accept("inf") ? kUnbounded : cursor.integer();
  if (cursor.accept("@")) info.hint = cursor.integer();
  if (info.min > info.max) cursor.refuse_here("a symbol whose bounds are empty");
  return std::make_shared<const SymbolInfo>(std::move(info));
}

}  // namespace burin
