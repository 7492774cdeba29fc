#include "print/expr_printer.h"

#include <algorithm>
#include <optional>

#include "support/check.h"

namespace burin::print {
namespace {

constexpr size_t kLongest = 90;  // characters of an expression before it gets a name

// Leaves and single operations that are cheaper to repeat than to name.
bool is_atomic(const Expr& expr) {
  return expr.kind() == ExprKind::constant || expr.kind() == ExprKind::let ||
         expr.kind() == ExprKind::index;
}

// The truth value that a condition asks for as a number that is 1; nullopt: it asks for another.
std::optional<Expr> holds(const Condition& condition) {
  if (condition.index.kind() != IndexKind::data || !condition.lo.is_constant(1) ||
      !condition.hi.is_constant(2))
    return std::nullopt;
  const Expr number(condition.index.as_data());
  const bool truth = number.kind() == ExprKind::cast && number->operands[0].type() == Type::boolean;
  return truth ? std::optional(number->operands[0]) : std::nullopt;
}

}  // namespace

std::string without_parentheses(const std::string& text) {
  if (text.size() < 2 || text.front() != '(') return text;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] != ')' || --depth > 0) continue;
    return i + 1 == text.size() ? text.substr(1, i - 1) : text;
  }
  return text;
}

const std::string* ExprPrinter::find(const Expr& expr) const {
  for (size_t i = scopes_.size(); i-- > 0;) {
    const auto at = scopes_[i].values.find(expr);
    if (at != scopes_[i].values.end()) return &at->second;
  }
  return nullptr;
}

const std::string* ExprPrinter::find(const Index& index) const {
  for (size_t i = scopes_.size(); i-- > 0;) {
    const auto at = scopes_[i].indices.find(index);
    if (at != scopes_[i].indices.end()) return &at->second;
  }
  return nullptr;
}

void ExprPrinter::count(const Index& index, Counts& counts) {
  std::vector<ExprPtr> inner;
  index.collect_data(inner);
  for (const ExprPtr& expr : inner) count(Expr(expr), counts);
}

// Uses of every expression that is evaluated whatever guards say; the insides of cases have their
// own counts.
void ExprPrinter::count(const Expr& expr, Counts& counts) {
  if (is_atomic(expr) && expr.kind() != ExprKind::index) return;
  if (++counts[expr] > 1) return;
  if (expr.kind() == ExprKind::index) count(expr->index, counts);
  for (const Index& index : expr->at) count(index, counts);
  if (expr.kind() == ExprKind::cases) {
    for (const Condition& condition : expr->cases[0].guard) count(condition.index, counts);
    return;
  }
  for (const Expr& operand : expr->operands) count(operand, counts);
}

std::vector<std::string> ExprPrinter::texts(const std::vector<Expr>& exprs) {
  Counts counts;
  for (const Expr& expr : exprs) count(expr, counts);
  std::vector<std::string> out;
  for (const Expr& expr : exprs) out.push_back(print(expr, counts));
  return out;
}

std::string ExprPrinter::element(const Expr& load) {
  Counts counts;
  count(load, counts);
  print_indices(*load, counts);
  return names_.load(*load);
}

// In front of a load: what its indices share gets its name before it.
void ExprPrinter::print_indices(const ExprNode& load, const Counts& counts) {
  for (const Index& index : load.at) {
    std::vector<ExprPtr> inner;
    index.collect_data(inner);
    for (const ExprPtr& one : inner) print(Expr(one), counts);
  }
}

std::string ExprPrinter::print(const Expr& expr, const Counts& counts) {
  if (const std::string* name = find(expr)) return *name;
  if (expr.kind() == ExprKind::cases) return guarded(expr, counts);
  std::string text = compute(expr, counts);
  if (is_atomic(expr)) return text;
  const auto uses = counts.find(expr);
  const bool shared = uses != counts.end() && uses->second > 1;
  if (!shared && text.size() <= kLongest) return text;
  const std::string name = fresh("t");
  out_.line("const " + std::string(language_.compute_name(expr.type())) + " " + name + " = " +
            without_parentheses(text) + ";");
  scopes_.back().values[expr] = name;
  return name;
}

std::string ExprPrinter::compute(const Expr& expr, const Counts& counts) {
  const ExprNode& node = *expr;
  const auto operand = [&](size_t i) { return print(node.operands[i], counts); };
  switch (node.kind) {
    case ExprKind::constant:
      return language_.constant(node, headers_);
    case ExprKind::index: {
      return language_.converted(language_.compute_name(node.type), print(node.index, counts));
    }
    case ExprKind::load: {
      print_indices(node, counts);
      if (names_.value) {
        std::string value = names_.value(node);
        if (!value.empty()) return value;
      }
      return language_.load({node.storage, node.type}, names_.load(node), headers_);
    }
    case ExprKind::let:
      return names_.let(node);
    case ExprKind::unary:
      return language_.unary(node.unary(), node.operands[0].type(), operand(0), headers_);
    case ExprKind::binary: {
      const std::string a = operand(0), b = operand(1);
      return language_.binary(node.binary(), node.operands[0].type(), a, b, headers_);
    }
    case ExprKind::select: {
      const std::string condition = operand(0), a = operand(1), b = operand(2);
      return "(" + condition + " ? " + a + " : " + b + ")";
    }
    case ExprKind::fused: {
      const std::string a = operand(0), b = operand(1), c = operand(2);
      return language_.fused(a, b, c, headers_);
    }
    case ExprKind::cast:
      if (node.type == Type::f16) return language_.to_fp16(operand(0), headers_);
      return language_.cast(node.operands[0].type(), node.storage, node.mode, operand(0), headers_);
    case ExprKind::cases:
      break;
  }
  BURIN_CHECK(false);
  return {};
}

std::string ExprPrinter::guarded(const Expr& expr, const Counts& counts) {
  const std::string name = fresh("t");
  const Expr& otherwise = expr->operands[0];
  const std::string type(language_.compute_name(expr.type()));
  if (is_atomic(otherwise)) {
    out_.line(type + " " + name + " = " + compute(otherwise, counts) + ";");
  } else {
    out_.line(type + " " + name + ";");
  }
  for (size_t i = 0; i < expr->cases.size(); ++i) {
    const Expr::Case& one = expr->cases[i];
    const std::string condition = text(one.guard);
    if (i == 0) {
      out_.open("if (" + condition + ") {");
    } else {
      out_.reopen("} else if (" + condition + ") {");
    }
    open_scope();
    out_.line(name + " = " + text(one.value) + ";");
    close_scope();
  }
  if (!is_atomic(otherwise)) {
    out_.reopen("} else {");
    open_scope();
    out_.line(name + " = " + text(otherwise) + ";");
    close_scope();
  }
  out_.close();
  scopes_.back().values[expr] = name;
  return name;
}

std::string ExprPrinter::opposite(const Guard& guard) {
  const Condition& one = guard[0];
  if (guard.size() == 1 && proven_le(one.lo, one.index) && one.hi != one.lo + 1)
    return text(one.index) + " >= " + text(one.hi);
  return "!(" + text(guard) + ")";
}

std::string ExprPrinter::text(const Guard& guard) {
  std::string out;
  for (const Condition& condition : guard) {
    const auto add = [&](const std::string& part) { out += (out.empty() ? "" : " && ") + part; };
    if (const std::optional<Expr> asked = holds(condition)) {
      add(text(*asked));
      continue;
    }
    const std::string index = text(condition.index);
    if (condition.hi == condition.lo + 1) {
      add(index + " == " + text(condition.lo));
      continue;
    }
    if (!proven_le(condition.lo, condition.index)) add(index + " >= " + text(condition.lo));
    if (!proven_lt(condition.index, condition.hi)) add(index + " < " + text(condition.hi));
  }
  return out.empty() ? "true" : out;
}

std::string ExprPrinter::text(const Index& index) {
  Counts counts;
  count(index, counts);
  return print(index, counts);
}

std::string ExprPrinter::print(const Index& index, const Counts& counts) {
  if (const std::string* name = find(index)) return *name;
  std::string out;
  for (const Index::Term& term : index.terms()) {
    std::string product;
    const int64_t magnitude = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    if (magnitude != 1) product = std::to_string(magnitude);
    for (const Index& atom : term.atoms)
      product += (product.empty() ? "" : " * ") + print_atom(atom, counts);
    if (out.empty()) {
      out = (term.coefficient < 0 ? "-" : "") + product;
    } else {
      out += (term.coefficient < 0 ? " - " : " + ") + product;
    }
  }
  const int64_t constant = index.constant_term();
  if (out.empty()) return std::to_string(constant);
  if (constant > 0) out += " + " + std::to_string(constant);
  if (constant < 0) out += " - " + std::to_string(-constant);
  return out;
}

std::string ExprPrinter::print_atom(const Index& atom, const Counts& counts) {
  if (const std::string* name = find(atom)) return *name;
  const auto operand = [&](size_t i) {
    const Index& index = atom.operands()[i];
    const std::string text = print(index, counts);
    const bool single = index.is_constant() ? index.constant() >= 0
                                            : text.find(' ') == std::string::npos && text[0] != '-';
    return single ? text : "(" + text + ")";
  };
  switch (atom.kind()) {
    case IndexKind::symbol:
      return names_.symbol(atom.as_symbol());
    case IndexKind::axis:
      return names_.axis(atom.axis_id());
    case IndexKind::data: {
      const Expr value(atom.as_data());
      const std::string text = print(value, counts);
      return language_.compute_name(value.type()) == index_type_
                 ? text
                 : language_.converted(index_type_, text);
    }
    case IndexKind::floordiv:
    case IndexKind::mod: {
      const bool divides = atom.kind() == IndexKind::floordiv;
      // A divisor that may be 0 goes through the function, which defines it.
      if (proven_nonnegative(atom.operands()[0]) && proven_le(1, atom.operands()[1]))
        return "(" + operand(0) + (divides ? " / " : " % ") + operand(1) + ")";
      const std::string a = print(atom.operands()[0], counts);
      const std::string b = print(atom.operands()[1], counts);
      return divides ? language_.floor_divide(index_type_, a, b, headers_)
                     : language_.floor_mod(index_type_, a, b, headers_);
    }
    case IndexKind::min:
    case IndexKind::max: {
      const bool least = atom.kind() == IndexKind::min;
      std::string out = print(atom.operands()[0], counts);
      for (size_t i = 1; i < atom.operands().size(); ++i) {
        const std::string next = print(atom.operands()[i], counts);
        out = least ? language_.least(index_type_, out, next, headers_)
                    : language_.greatest(index_type_, out, next, headers_);
      }
      return out;
    }
    default:
      break;
  }
  BURIN_CHECK(false);
  return {};
}

}  // namespace burin::print
