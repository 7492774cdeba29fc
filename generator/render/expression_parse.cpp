// Recursive descent; each function parses one level of the grammar in expression.h and types what
// it made.
#include <algorithm>

#include "render/expression.h"
#include "render/template.h"
#include "support/diagnostics.h"
#include "support/spelling.h"

namespace burin {
namespace {

using Kind = TemplateExpr::Kind;

constexpr int kDeepest = 64;  // nested parentheses

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

const TemplateType kIntType{TemplateType::Kind::kInt};
const TemplateType kBoolType{TemplateType::Kind::kBool};

class Parser {
 public:
  Parser(std::string_view text, std::vector<TemplateVariable>& scope, const SourceLine& line)
      : text_(text), scope_(scope), line_(line) {
    next();
  }

  TemplateExpr whole() {
    TemplateExpr out = expression();
    if (!token_.empty()) line_.fail("unexpected " + quoted(token_) + " in expression");
    return out;
  }

 private:
  // Tokens: names, integers, quoted texts (with their opening quote), operators. Empty at the end.
  void next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    size_t end = at_;
    const auto peek = [&] { return end < text_.size() ? text_[end] : '\0'; };
    if (is_name_start(peek())) {
      while (is_name_start(peek()) || is_digit(peek())) ++end;
    } else if (is_digit(peek())) {
      while (is_digit(peek())) ++end;
    } else if (peek() == '\'' || peek() == '"') {
      const char quote = text_[end++];
      while (end < text_.size() && text_[end] != quote) ++end;
      if (end == text_.size()) line_.fail("text without closing quote");
      token_ = text_.substr(at_, end - at_);
      at_ = end + 1;
      return;
    } else if (end < text_.size()) {
      constexpr std::string_view kTwo[] = {"==", "!=", "<=", ">=", "//"};
      const std::string_view two = text_.substr(end, 2);
      end += std::find(std::begin(kTwo), std::end(kTwo), two) != std::end(kTwo) ? 2 : 1;
    }
    token_ = text_.substr(at_, end - at_);
    at_ = end;
  }
  bool accept(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
  }
  void require(std::string_view token) {
    if (!accept(token)) line_.fail("expected " + quoted(token) + ", found " + quoted(token_));
  }

  void expect_type(const TemplateExpr& expr, const TemplateType& type,
                   const std::string& where) const {
    if (expr.type != type) {
      line_.fail(where + " needs " + to_string(type) + ", found " + to_string(expr.type));
    }
  }

  TemplateExpr operation(Kind kind, const std::string& name, const TemplateType& result,
                         std::vector<TemplateExpr> args) const {
    return {.kind = kind,
            .type = result,
            .integer = 0,
            .name = name,
            .slot = 0,
            .args = std::move(args)};
  }

  // Operands of one type, result of one type, left to right.
  template <class Operand>
  TemplateExpr chain(std::initializer_list<std::string_view> operators, const TemplateType& type,
                     Operand operand) {
    TemplateExpr left = operand();
    while (std::find(operators.begin(), operators.end(), token_) != operators.end()) {
      const std::string op(token_);
      next();
      TemplateExpr right = operand();
      expect_type(left, type, quoted(op));
      expect_type(right, type, quoted(op));
      left = operation(Kind::kBinary, op, type, {std::move(left), std::move(right)});
    }
    return left;
  }

  TemplateExpr expression() {
    if (++depth_ > kDeepest) line_.fail("expression is nested too deeply");
    TemplateExpr value = either();
    if (accept("if")) {
      TemplateExpr condition = either();
      expect_type(condition, kBoolType, "a condition");
      require("else");
      TemplateExpr other = expression();
      if (value.type != other.type) {
        line_.fail("the two sides of a choice are " + to_string(value.type) + " and " +
                   to_string(other.type));
      }
      const TemplateType type = value.type;
      value = operation(Kind::kConditional, "if", type,
                        {std::move(condition), std::move(value), std::move(other)});
    }
    --depth_;
    return value;
  }

  TemplateExpr either() {
    return chain({"or"}, kBoolType, [&] { return both(); });
  }
  TemplateExpr both() {
    return chain({"and"}, kBoolType, [&] { return negation(); });
  }
  TemplateExpr negation() {
    if (!accept("not")) return comparison();
    TemplateExpr operand = comparison();
    expect_type(operand, kBoolType, "'not'");
    return operation(Kind::kUnary, "not", kBoolType, {std::move(operand)});
  }

  TemplateExpr comparison() {
    TemplateExpr left = sum();
    constexpr std::string_view kOperators[] = {"==", "!=", "<", "<=", ">", ">="};
    if (std::find(std::begin(kOperators), std::end(kOperators), token_) == std::end(kOperators)) {
      return left;
    }
    const std::string op(token_);
    next();
    TemplateExpr right = sum();
    if (op == "==" || op == "!=") {
      expect_type(right, left.type, quoted(op));
      if (left.type.kind == TemplateType::Kind::kList ||
          left.type.kind == TemplateType::Kind::kRecord) {
        line_.fail(quoted(op) + " does not compare " + to_string(left.type));
      }
    } else {
      expect_type(left, kIntType, quoted(op));
      expect_type(right, kIntType, quoted(op));
    }
    return operation(Kind::kBinary, op, kBoolType, {std::move(left), std::move(right)});
  }

  TemplateExpr sum() {
    return chain({"+", "-"}, kIntType, [&] { return product(); });
  }
  TemplateExpr product() {
    return chain({"*", "//", "%"}, kIntType, [&] { return unary(); });
  }
  TemplateExpr unary() {
    if (!accept("-")) return postfix();
    TemplateExpr operand = postfix();
    expect_type(operand, kIntType, "'-'");
    return operation(Kind::kUnary, "-", kIntType, {std::move(operand)});
  }

  TemplateExpr postfix() {
    TemplateExpr value = primary();
    while (true) {
      if (accept(".")) {
        value = field(std::move(value));
      } else if (accept("[")) {
        TemplateExpr index = expression();
        require("]");
        expect_type(index, kIntType, "an index");
        if (value.type.kind != TemplateType::Kind::kList) {
          line_.fail("only a list has items, not " + to_string(value.type));
        }
        const TemplateType element = value.type.element.at(0);
        value = operation(Kind::kIndex, "[", element, {std::move(value), std::move(index)});
      } else {
        return value;
      }
    }
  }

  TemplateExpr field(TemplateExpr record) {
    const std::string name(token_);
    next();
    if (record.type.kind != TemplateType::Kind::kRecord) {
      line_.fail("only a record has fields, not " + to_string(record.type));
    }
    const auto at = record.type.fields.find(name);
    if (at == record.type.fields.end()) {
      std::vector<std::string> known;
      for (const auto& [other, type] : record.type.fields) known.push_back(other);
      line_.fail("unknown field " + quoted(name) + hint(name, known));
    }
    const TemplateType type = at->second;
    return operation(Kind::kField, name, type, {std::move(record)});
  }

  TemplateExpr primary() {
    const std::string token(token_);
    if (token.empty()) line_.fail("the expression ends too early");
    next();
    if (token == "(") {
      TemplateExpr inner = expression();
      require(")");
      return inner;
    }
    if (is_digit(token[0])) {
      if (token.size() > 18) line_.fail("integer " + token + " is too large");
      TemplateExpr out = operation(Kind::kInteger, token, kIntType, {});
      out.integer = std::stoll(token);
      return out;
    }
    if (token[0] == '\'' || token[0] == '"') {
      return operation(Kind::kText, token.substr(1), {TemplateType::Kind::kString}, {});
    }
    if (token == "true" || token == "false") {
      TemplateExpr out = operation(Kind::kBool, token, kBoolType, {});
      out.integer = token == "true" ? 1 : 0;
      return out;
    }
    if (!is_name_start(token[0])) line_.fail("unexpected " + quoted(token) + " in expression");
    return token_ == "(" ? call(token) : name(token);
  }

  TemplateExpr name(const std::string& name) {
    std::vector<std::string> known;
    for (size_t slot = 0; slot < scope_.size(); ++slot) {
      if (scope_[slot].name != name) {
        known.push_back(scope_[slot].name);
        continue;
      }
      scope_[slot].used = true;
      TemplateExpr out = operation(Kind::kName, name, scope_[slot].type, {});
      out.slot = slot;
      return out;
    }
    line_.fail("unknown name " + quoted(name) + hint(name, known));
  }

  TemplateExpr call(const std::string& function) {
    require("(");
    std::vector<TemplateExpr> args;
    if (token_ != ")") {
      do {
        args.push_back(expression());
      } while (accept(","));
    }
    require(")");
    const auto want = [&](size_t fewest, size_t most) {
      if (args.size() >= fewest && args.size() <= most) return;
      line_.fail(quoted(function) + " does not take " + std::to_string(args.size()) + " arguments");
    };
    const auto want_list = [&] {
      if (args[0].type.kind == TemplateType::Kind::kList) return;
      line_.fail(quoted(function) + " needs a list, found " + to_string(args[0].type));
    };
    TemplateType result = kIntType;
    if (function == "len") {
      want(1, 1);
      want_list();
    } else if (function == "min" || function == "max") {
      want(2, 2);
      for (const TemplateExpr& arg : args) expect_type(arg, kIntType, quoted(function));
    } else if (function == "range") {
      want(1, 2);
      for (const TemplateExpr& arg : args) expect_type(arg, kIntType, quoted(function));
      result = {TemplateType::Kind::kList, {kIntType}};
    } else if (function == "join") {
      want(2, 2);
      want_list();
      if (!is_printable(args[0].type.element.at(0)) ||
          args[0].type.element.at(0).kind == TemplateType::Kind::kComment) {
        line_.fail("'join' cannot print " + to_string(args[0].type.element.at(0)));
      }
      expect_type(args[1], {TemplateType::Kind::kString}, "'join'");
      result = {TemplateType::Kind::kCode};
    } else {
      line_.fail("unknown function " + quoted(function) +
                 hint(function, {"len", "min", "max", "range", "join"}));
    }
    return operation(Kind::kCall, function, result, std::move(args));
  }

  static std::string hint(const std::string& name, const std::vector<std::string>& known) {
    const std::string text = did_you_mean(name, known);
    return text.empty() ? "" : "; " + text;
  }

  std::string_view text_;
  std::vector<TemplateVariable>& scope_;
  const SourceLine& line_;
  size_t at_ = 0;
  std::string_view token_;
  int depth_ = 0;
};

}  // namespace

void SourceLine::fail(const std::string& message) const {
  throw TemplateError(file, number, message);
}

bool is_printable(const TemplateType& type) {
  return type.kind != TemplateType::Kind::kBool && type.kind != TemplateType::Kind::kList &&
         type.kind != TemplateType::Kind::kRecord;
}

TemplateExpr parse_expression(std::string_view text, std::vector<TemplateVariable>& scope,
                              const SourceLine& line) {
  return Parser(text, scope, line).whole();
}

}  // namespace burin
