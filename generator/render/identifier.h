// Identifiers: the only way a name from a model reaches emitted code.
//
// A name from outside is any byte string: empty, a keyword, megabytes long, "*/ #include ...". An
// Identifier is a C, C++ and OpenCL C identifier of letters, digits and single underscores, at most
// 63 characters (what C guarantees to be significant), that starts with a letter, ends with a
// letter or digit, and is no keyword, no macro of the headers that emitted code or its users
// include, and no device name of a file system.
//
//   readable("/layer1/conv.0/Conv")  = layer1_conv_0_Conv           many names can have one
//   readable form mangle("/layer1/conv.0/Conv")    = layer1_conv_0_Conv_x1f2e3d4c  one name each: a
//   hash of the bytes is added mangle("conv1")                  = conv1 nothing was lost, nothing
//   is added
//
// A NameTable gives the readable form to the first that asks for it and adds the hash for the
// others.
#pragma once

#include <compare>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace burin {

inline constexpr size_t kLongestIdentifier = 63;

class Identifier {
 public:
  // A name that burin itself chose, "weights". A name that breaks the rules above is a bug
  // (BURIN_CHECK).
  template <size_t N>
  explicit Identifier(const char (&literal)[N]) : Identifier(std::string_view(literal, N - 1), 0) {}
  template <size_t N>
  explicit Identifier(char (&)[N]) = delete;

  const std::string& text() const { return text_; }
  auto operator<=>(const Identifier&) const = default;

 private:
  friend Identifier mangle(std::string_view, size_t);
  friend Identifier mangle_with_hash(std::string_view, size_t);
  friend Identifier join(std::initializer_list<Identifier>);
  friend Identifier with_number(const Identifier&, size_t);
  friend Identifier with_hash(const Identifier&, std::string_view);
  friend class NameTable;
  Identifier(std::string_view checked, int);

  std::string text_;
};

// Whether `text` obeys the rules above.
bool is_identifier(std::string_view text);

// The nearest text of letters, digits and single underscores, at most `longest` (>= 24) characters;
// may be a keyword. Not injective.
std::string readable(std::string_view original, size_t longest = kLongestIdentifier);

// Injective but for collisions of 32 bits of SHA-256 among names with one readable form; a
// NameTable notices those.
Identifier mangle(std::string_view original, size_t longest = kLongestIdentifier);
// The same where the name itself is taken: always with a hash.
Identifier mangle_with_hash(std::string_view original, size_t longest = kLongestIdentifier);

// a, b, c -> a_b_c. Too long (over 63) is a bug: give the parts' tables a smaller limit.
Identifier join(std::initializer_list<Identifier> parts);

// stem, 3 -> stem_3: for numbers that mean something (an axis, an operand's place), not for telling
// names apart.
Identifier with_number(const Identifier& stem, size_t number);

// stem, content -> stem_1f2e3d4c: a name that depends on content alone, as kernel files have.
Identifier with_hash(const Identifier& stem, std::string_view content);

// Hands out identifiers that differ from each other, for one scope. Equal originals get equal
// names.
class NameTable {
 public:
  enum class Case { kDistinct, kIgnored };  // kIgnored: names of files

  explicit NameTable(Case rule = Case::kDistinct, size_t longest = kLongestIdentifier)
      : rule_(rule), longest_(longest) {}

  // Takes a name out of circulation, such as one that a template uses in the same scope.
  void reserve(const Identifier& name);

  // The readable form when it is free and no reserved word, else the readable form and as much of
  // the hash as it takes. Refused (name-collision) only if 128 bits of hash are equal. O(log
  // names).
  Identifier add(std::string_view original);

 private:
  bool take(const std::string& name);

  Case rule_;
  size_t longest_;
  std::set<std::string> taken_;  // folded to lower case when case is ignored
  std::map<std::string, Identifier, std::less<>> given_;
};

}  // namespace burin
