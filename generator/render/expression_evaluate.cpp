#include <algorithm>

#include "render/expression.h"
#include "render/rendered_text.h"
#include "support/check.h"

namespace burin {
namespace {

using Kind = TemplateExpr::Kind;

constexpr int64_t kLongestRange = int64_t{1} << 20;  // unrolled lines of one loop

class Evaluator {
 public:
  Evaluator(const TemplateValues& environment, const SourceLine& line)
      : environment_(environment), line_(line) {}

  const TemplateValue& value(const TemplateExpr& expr, TemplateValue& scratch) {
    switch (expr.kind) {
      case Kind::kName:
        return *environment_[expr.slot];
      case Kind::kField:
        return scratch_or_part(expr, scratch);
      case Kind::kIndex:
        return scratch_or_part(expr, scratch);
      case Kind::kConditional:
        return value(expr.args[boolean(expr.args[0]) ? 1 : 2], scratch);
      case Kind::kInteger:
        return scratch = TemplateValue(expr.integer);
      case Kind::kBool:
        return scratch = TemplateValue(expr.integer != 0);
      case Kind::kText:
        return scratch = TemplateValue(Word(expr.name.c_str()));
      case Kind::kCall:
        return scratch = call(expr);
      case Kind::kUnary:
        return scratch = expr.name == "not"
                             ? TemplateValue(!boolean(expr.args[0]))
                             : TemplateValue(checked_subtract(0, integer(expr.args[0])));
      case Kind::kBinary:
        return scratch = binary(expr);
    }
    BURIN_CHECK(false);
    return scratch;
  }

 private:
  // A part of a variable is referred to; a part of something computed is moved out of it.
  const TemplateValue& scratch_or_part(const TemplateExpr& expr, TemplateValue& scratch) {
    const TemplateValue& whole = value(expr.args[0], scratch);
    const TemplateValue* part = nullptr;
    if (expr.kind == Kind::kField) {
      part = &whole.get<Record>()->find(expr.name)->second;
    } else {
      const List& items = *whole.get<List>();
      const int64_t i = integer(expr.args[1]);
      if (i < 0 || i >= static_cast<int64_t>(items.size())) {
        line_.fail("index " + std::to_string(i) + " in a list of " + std::to_string(items.size()));
      }
      part = &items[static_cast<size_t>(i)];
    }
    if (&whole != &scratch) return *part;
    TemplateValue copy = *part;
    return scratch = std::move(copy);
  }

  int64_t integer(const TemplateExpr& expr) {
    TemplateValue scratch = 0;
    return *value(expr, scratch).get<int64_t>();
  }
  bool boolean(const TemplateExpr& expr) {
    TemplateValue scratch = 0;
    return *value(expr, scratch).get<bool>();
  }

  int64_t checked_subtract(int64_t a, int64_t b) const {
    int64_t out = 0;
    if (__builtin_sub_overflow(a, b, &out)) line_.fail("integer overflow");
    return out;
  }

  TemplateValue call(const TemplateExpr& expr) {
    if (expr.name == "min") return std::min(integer(expr.args[0]), integer(expr.args[1]));
    if (expr.name == "max") return std::max(integer(expr.args[0]), integer(expr.args[1]));
    if (expr.name == "range") {
      const int64_t begin = expr.args.size() == 2 ? integer(expr.args[0]) : 0;
      const int64_t end = integer(expr.args.back());
      if (end > begin && checked_subtract(end, begin) > kLongestRange)
        line_.fail("range is too long");
      List items;
      for (int64_t i = begin; i < end; ++i) items.emplace_back(i);
      return items;
    }
    TemplateValue scratch = 0;
    const List& items = *value(expr.args[0], scratch).get<List>();
    if (expr.name == "len") return items.size();
    return joined(items, expr.args[1]);
  }

  // Pieces that are safe stay safe side by side, with a separator of the template's own between
  // them.
  TemplateValue joined(const List& items, const TemplateExpr& between) {
    TemplateValue scratch = 0;
    const std::string separator = value(between, scratch).printed();
    std::string text;
    for (size_t i = 0; i < items.size(); ++i)
      text += (i == 0 ? "" : separator) + items[i].printed();
    return RenderedText::code(std::move(text));
  }

  TemplateValue binary(const TemplateExpr& expr) {
    const std::string& op = expr.name;
    if (op == "and") return boolean(expr.args[0]) && boolean(expr.args[1]);
    if (op == "or") return boolean(expr.args[0]) || boolean(expr.args[1]);
    if (op == "==" || op == "!=") return equal(expr.args[0], expr.args[1]) == (op == "==");
    const int64_t a = integer(expr.args[0]);
    const int64_t b = integer(expr.args[1]);
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    return arithmetic(op, a, b);
  }

  TemplateValue arithmetic(const std::string& op, int64_t a, int64_t b) const {
    int64_t out = 0;
    bool overflow = false;
    if (op == "+") {
      overflow = __builtin_add_overflow(a, b, &out);
    } else if (op == "-") {
      overflow = __builtin_sub_overflow(a, b, &out);
    } else if (op == "*") {
      overflow = __builtin_mul_overflow(a, b, &out);
    } else {
      if (b <= 0) line_.fail("division by " + std::to_string(b));
      const int64_t quotient = a / b - (a % b < 0 ? 1 : 0);
      out = op == "//" ? quotient : a - quotient * b;
    }
    if (overflow) line_.fail("integer overflow");
    return out;
  }

  bool equal(const TemplateExpr& left, const TemplateExpr& right) {
    if (left.type.kind == TemplateType::Kind::kBool) return boolean(left) == boolean(right);
    TemplateValue a = 0;
    TemplateValue b = 0;
    return value(left, a).printed() == value(right, b).printed();
  }

  const TemplateValues& environment_;
  const SourceLine& line_;
};

}  // namespace

const TemplateValue& evaluate(const TemplateExpr& expression, const TemplateValues& environment,
                              const SourceLine& line, TemplateValue& scratch) {
  return Evaluator(environment, line).value(expression, scratch);
}

}  // namespace burin
