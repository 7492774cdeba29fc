#include "kernel/index/index_text.h"

#include <charconv>

#include "kernel/index/index_node.h"
#include "kernel/index/text_cursor.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

// The number of an axis name such as i12; -1 for other names.
int axis_number(std::string_view name) {
  if (name.size() < 2 || name[0] != 'i') return -1;
  int number = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  return error == std::errc() && stop == end && number >= 0 ? number : -1;
}

bool looks_like_axis(std::string_view name) {
  return name.size() > 1 && name[0] == 'i' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

constexpr int kDeepest = 64;  // nesting that parse_index follows

class IndexParser {
 public:
  IndexParser(TextCursor& cursor, const IndexLeaves& leaves) : cursor_(cursor), leaves_(leaves) {}

  Index sum() {
    Index all = product();
    while (true) {
      // "- 9223372036854775808" has no positive counterpart: the sign belongs to the number.
      if (cursor_.peek() == '-') {
        all += product();
      } else if (cursor_.accept("+")) {
        all += product();
      } else {
        break;
      }
    }
    return all;
  }

 private:
  Index nested(Index (IndexParser::*rule)()) {
    if (++depth_ > kDeepest) cursor_.refuse_here("an index nested too deeply");
    const Index inner = (this->*rule)();
    --depth_;
    return inner;
  }

  Index product() {
    Index all = signed_factor();
    while (true) {
      if (cursor_.accept("*")) {
        all *= factor();
      } else if (cursor_.accept("//")) {
        all = floordiv(all, divisor());
      } else if (cursor_.accept("%")) {
        all = mod(all, divisor());
      } else {
        return all;
      }
    }
  }

  Index divisor() {
    const Index by = factor();
    if (by.is_constant(0)) cursor_.refuse_here("division by zero");
    return by;
  }

  Index signed_factor() {
    if (cursor_.peek() != '-') return factor();
    cursor_.expect("-");
    if (cursor_.peek() < '0' || cursor_.peek() > '9') return -nested(&IndexParser::signed_factor);
    const std::string digits = "-" + cursor_.number();
    int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || stop != end) cursor_.refuse_here("not an integer of 64 bits");
    return value;
  }

  Index factor() {
    const char next = cursor_.peek();
    if (next >= '0' && next <= '9') return cursor_.integer();
    if (next == '"') return symbol(cursor_.string());
    if (next == '{' && leaves_.data) {
      cursor_.expect("{");
      return leaves_.data(cursor_);
    }
    if (cursor_.accept("(")) {
      const Index inner = nested(&IndexParser::sum);
      cursor_.expect(")");
      return inner;
    }
    const bool smallest = cursor_.accept("min");
    if (smallest || cursor_.accept("max")) {
      cursor_.expect("(");
      Index all = nested(&IndexParser::sum);
      while (cursor_.accept(",")) {
        const Index next_one = nested(&IndexParser::sum);
        all = smallest ? min(all, next_one) : max(all, next_one);
      }
      cursor_.expect(")");
      return all;
    }
    const std::string name = cursor_.word();
    if (!looks_like_axis(name)) return symbol(name);
    const int axis = axis_number(name);
    const std::optional<Index> found =
        axis >= 0 && leaves_.axis ? leaves_.axis(axis) : std::nullopt;
    if (!found) cursor_.refuse_here("unknown axis " + quoted(name));
    return *found;
  }

  Index symbol(const std::string& name) {
    const std::optional<Index> found = leaves_.symbol ? leaves_.symbol(name) : std::nullopt;
    if (!found) cursor_.refuse_here("unknown symbol " + quoted(name));
    return *found;
  }

  TextCursor& cursor_;
  const IndexLeaves& leaves_;
  int depth_ = 0;
};

}  // namespace

std::string symbol_text(std::string_view name) {
  const bool plain =
      is_plain_identifier(name) && !looks_like_axis(name) && name != "min" && name != "max";
  return plain ? std::string(name) : escape_text(name);
}

Index parse_index(TextCursor& cursor, const IndexLeaves& leaves) {
  return IndexParser(cursor, leaves).sum();
}

Index parse_index(std::string_view text, const IndexLeaves& leaves) {
  TextCursor cursor(text);
  const Index index = parse_index(cursor, leaves);
  if (!cursor.at_end()) cursor.refuse_here("expected the end of the index");
  return index;
}

}  // namespace burin
