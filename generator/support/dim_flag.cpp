#include "support/dim_flag.h"

#include <algorithm>
#include <cstdio>

namespace burin {
namespace {

constexpr size_t kLongestName = 1000;  // bytes

bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '\''; }

std::string with_text(const std::string& flag, std::string_view name, std::string_view sizes) {
  if (name.size() > kLongestName) return flag;
  const std::string text = std::string(name) + "=" + std::string(sizes);
  if (std::all_of(text.begin(), text.end(), is_plain)) return flag + " '" + text + "'";
  // As bash, zsh and POSIX 2024 read any byte.
  std::string out = flag + " $'";
  for (const char c : text) {
    if (is_plain(c) && c != '\\') {
      out += c;
      continue;
    }
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\%03o", static_cast<unsigned char>(c));
    out += escape;
  }
  return out + "'";
}

}  // namespace

std::string dim_flag(std::string_view name, std::string_view sizes) {
  return with_text("--dim", name, sizes);
}

std::string input_flag(std::string_view name, std::string_view numbers) {
  return with_text("--input", name, numbers);
}

std::string typeable_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.empty() ? "size" : out;
}

}  // namespace burin
