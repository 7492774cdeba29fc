#include "backends/cpp/node_lists.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace burin::cpp {
namespace {

constexpr size_t kMostDigits = 9;

// A piece of a name: text, or numbers that stand in its place.
struct Piece {
  std::string text;
  std::set<int> numbers = {};  // empty: text
};
using Name = std::vector<Piece>;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// A number is written in one way, so that braces can be read back: no zeros in front of it.
Name pieces_of(const std::string& name) {
  if (name.find_first_of("{}") != name.npos) return {Piece{name}};
  Name out;
  for (size_t at = 0; at < name.size();) {
    size_t end = at;
    while (end < name.size() && is_digit(name[end]) == is_digit(name[at])) ++end;
    const std::string piece = name.substr(at, end - at);
    const bool number =
        is_digit(piece[0]) && piece.size() <= kMostDigits && (piece[0] != '0' || piece.size() == 1);
    out.push_back(number ? Piece{"", {std::stoi(piece)}} : Piece{piece});
    at = end;
  }
  return out;
}

// "{0..3,7}"; one number as it is.
std::string numbers_text(const std::set<int>& numbers) {
  constexpr int kLeastRange = 3;
  std::string out;
  for (auto at = numbers.begin(); at != numbers.end();) {
    auto end = std::next(at);
    int last = *at;
    while (end != numbers.end() && *end == last + 1) last = *end++;
    if (!out.empty()) out += ',';
    if (last - *at + 1 >= kLeastRange) {
      out += std::to_string(*at) + ".." + std::to_string(last);
    } else {
      out += std::to_string(*at);
      if (last != *at) out += "," + std::to_string(last);
    }
    at = end;
  }
  return numbers.size() == 1 ? out : "{" + out + "}";
}

// Without the piece at `open`: names with the same rest are one.
std::string text_of(const Name& name, size_t open) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    if (i == open)
      out += '\0';
    else
      out += name[i].numbers.empty() ? name[i].text : numbers_text(name[i].numbers);
  }
  return out;
}

// The last number that differs counts first: "/layers.{0,1}/conv.{0..2}".
std::vector<std::string> merged(const std::vector<std::string>& all) {
  std::vector<Name> names;
  size_t pieces = 0;
  for (const std::string& name : all) {
    names.push_back(pieces_of(name));
    pieces = std::max(pieces, names.back().size());
  }
  for (size_t open = pieces; open-- > 0;) {
    std::vector<Name> left;
    std::map<std::string, size_t> known;  // places in `left`
    for (Name& name : names) {
      const bool number = open < name.size() && !name[open].numbers.empty();
      const auto [at, fresh] = known.emplace(number ? text_of(name, open) : "", left.size());
      if (number && !fresh)
        left[at->second][open].numbers.merge(name[open].numbers);
      else
        left.push_back(std::move(name));
    }
    names = std::move(left);
  }
  std::vector<std::string> out;
  for (const Name& name : names) out.push_back(text_of(name, name.size()));
  return out;
}

}  // namespace

std::string nodes_text(const std::vector<Origin>& origins) {
  std::vector<std::string> operators;
  std::map<std::string, std::vector<std::string>> names;
  for (const Origin& origin : origins) {
    std::vector<std::string>& known = names[origin.op];
    if (known.empty()) operators.push_back(origin.op);
    known.push_back(origin.node);
  }
  std::string text;
  for (const std::string& op : operators) {
    text += (text.empty() ? "" : ", ") + op;
    const char* before = " '";
    for (const std::string& name : merged(names[op])) {
      text += before + name + "'";
      before = ", '";
    }
  }
  return text;
}

}  // namespace burin::cpp
