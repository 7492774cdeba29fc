#include "render/identifier.h"

#include <algorithm>

#include "render/reserved_words.h"
#include "support/check.h"
#include "support/diagnostics.h"
#include "support/sha256.h"

namespace burin {
namespace {

constexpr size_t kHashDigits = 8;
constexpr std::string_view kHashMark = "_x";  // before the hash of a mangled name
constexpr size_t kShortestLimit = 24;         // room for a few letters beside mark and hash

// Not std::isalnum: that asks the locale.
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

std::string folded(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

// Whether a name could be mistaken for one that ends in a hash.
bool looks_hashed(std::string_view text) {
  const size_t mark = text.rfind(kHashMark);
  if (mark == text.npos) return false;
  const std::string_view digits = text.substr(mark + kHashMark.size());
  return digits.size() >= kHashDigits &&
         digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

// `stem` cut so that mark and `digits` digits of the hash fit behind it.
std::string hashed(std::string_view original, size_t longest, size_t digits) {
  return readable(original, longest - kHashMark.size() - digits) + std::string(kHashMark) +
         sha256_hex(original).substr(0, digits);
}

}  // namespace

bool is_identifier(std::string_view text) {
  if (text.empty() || text.size() > kLongestIdentifier || !is_letter(text[0])) return false;
  if (text.back() == '_' || text.find("__") != text.npos || is_reserved_word(text)) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_decimal_digit(c) || c == '_'; });
}

Identifier::Identifier(std::string_view checked, int) : text_(checked) {
  BURIN_CHECK(is_identifier(text_), quoted(text_));
}

std::string readable(std::string_view original, size_t longest) {
  std::string out;
  bool gap = false;  // characters were left out since the last one taken
  for (const char c : original) {
    if (!is_letter(c) && !is_decimal_digit(c)) {
      gap = true;
      continue;
    }
    if (out.empty() && is_decimal_digit(c)) out = "n";
    if (gap && !out.empty() && out != "n") out += '_';
    gap = false;
    out += c;
    if (out.size() >= longest) break;
  }
  if (out.size() > longest) out.resize(longest);
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.empty() ? "unnamed" : out;
}

Identifier mangle(std::string_view original, size_t longest) {
  BURIN_CHECK(longest >= kShortestLimit && longest <= kLongestIdentifier);
  if (original.size() <= longest && is_identifier(original) && !looks_hashed(original)) {
    return Identifier(original, 0);
  }
  return Identifier(hashed(original, longest, kHashDigits), 0);
}

Identifier mangle_with_hash(std::string_view original, size_t longest) {
  BURIN_CHECK(longest >= kShortestLimit && longest <= kLongestIdentifier);
  return Identifier(hashed(original, longest, kHashDigits), 0);
}

Identifier join(std::initializer_list<Identifier> parts) {
  std::string text;
  for (const Identifier& part : parts) text += (text.empty() ? "" : "_") + part.text();
  return Identifier(text, 0);
}

Identifier with_number(const Identifier& stem, size_t number) {
  return Identifier(stem.text() + "_" + std::to_string(number), 0);
}

Identifier with_hash(const Identifier& stem, std::string_view content) {
  return Identifier(stem.text() + "_" + sha256_hex(content).substr(0, kHashDigits), 0);
}

bool NameTable::take(const std::string& name) {
  return taken_.insert(rule_ == Case::kIgnored ? folded(name) : name).second;
}

void NameTable::reserve(const Identifier& name) { take(name.text()); }

Identifier NameTable::add(std::string_view original) {
  if (const auto known = given_.find(original); known != given_.end()) return known->second;
  const auto give = [&](const std::string& name) {
    return given_.emplace(original, Identifier(name, 0)).first->second;
  };
  // A readable form that looks hashed is never given as it is, so that it cannot take the place of
  // a name whose hash it imitates.
  const std::string plain = readable(original, longest_);
  if (!looks_hashed(plain) && is_identifier(plain) && take(plain)) return give(plain);
  for (size_t digits = kHashDigits; digits <= 32; digits *= 2) {
    if (digits + kHashMark.size() >= longest_) break;
    const std::string name = hashed(original, longest_, digits);
    if (take(name)) return give(name);
  }
  refuse("name-collision",
         "name " + quoted(original) + " has the same hash as another; rename one of them");
}

}  // namespace burin
