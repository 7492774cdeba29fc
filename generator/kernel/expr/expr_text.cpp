#include "kernel/expr/expr_text.h"

#include <array>
#include <charconv>
#include <unordered_map>

#include "kernel/index/index_text.h"

namespace burin {
namespace {

// The names of dumps.
TextNames dump_names() {
  return {[](ValueId value) { return "v" + std::to_string(value); },
          [](int let, int component) {
            return "let" + std::to_string(let) + (component ? "." + std::to_string(component) : "");
          },
          [](const Symbol& symbol) { return symbol_text(symbol->name); },
          {}};
}

class TextWriter {
 public:
  explicit TextWriter(const TextNames& names) : names_(names) {}

  std::string text(const Index& index) const {
    const std::vector<Index>& operands = index.operands();
    switch (index.kind()) {
      case IndexKind::constant:
        return std::to_string(index.constant());
      case IndexKind::symbol:
        return names_.symbol(index.as_symbol());
      case IndexKind::axis:
        return "i" + std::to_string(index.axis_id());
      case IndexKind::data:
        return names_.data ? names_.data(index) : "{" + text(Expr(index.as_data())) + "}";
      case IndexKind::polynomial:
        return sum_text(index);
      case IndexKind::floordiv:
        return "(" + operand_text(operands[0]) + " // " + operand_text(operands[1]) + ")";
      case IndexKind::mod:
        return "(" + operand_text(operands[0]) + " % " + operand_text(operands[1]) + ")";
      case IndexKind::min:
        return "min(" + list(operands) + ")";
      case IndexKind::max:
        return "max(" + list(operands) + ")";
    }
    return {};
  }

  std::string text(const Guard& guard) const {
    std::string out;
    for (const Condition& condition : guard) {
      if (!out.empty()) out += " && ";
      out += text(condition.lo) + " <= " + text(condition.index) + " < " + text(condition.hi);
    }
    return out.empty() ? "true" : out;
  }

  // Of what is shared the text is made once, and copied.
  std::string text(const Expr& expr) const {
    if (!expr) return "<none>";
    if (expr.ptr().use_count() == 1 || expr->operands.empty()) return made(*expr);
    if (const auto known = made_.find(expr.ptr().get()); known != made_.end()) return known->second;
    std::string out = made(*expr);
    made_.emplace(expr.ptr().get(), out);
    return out;
  }

 private:
  std::string made(const ExprNode& node) const {
    const auto operand = [&](size_t i) { return text(node.operands[i]); };
    switch (node.kind) {
      case ExprKind::constant:
        return is_float(node.type)
                   ? number_text(node.number) + (node.type == Type::f16 ? "h" : "")
                   : std::to_string(node.integer) + std::string(to_string(node.type));
      case ExprKind::index:
        return std::string(to_string(node.type)) + "(" + text(node.index) + ")";
      case ExprKind::load:
        return names_.value(node.id) + "[" + list(node.at) + "]";
      case ExprKind::let:
        return names_.let(node.id, node.component) + "[" + list(node.at) + "]";
      case ExprKind::unary:
        return std::string(to_string(node.unary())) + "(" + operand(0) + ")";
      case ExprKind::binary: {
        const std::string_view op = infix_of(node.binary());
        if (!op.empty()) return "(" + operand(0) + " " + std::string(op) + " " + operand(1) + ")";
        return std::string(to_string(node.binary())) + "(" + operand(0) + ", " + operand(1) + ")";
      }
      case ExprKind::select:
        return "select(" + operand(0) + ", " + operand(1) + ", " + operand(2) + ")";
      case ExprKind::fused:
        return "fma(" + operand(0) + ", " + operand(1) + ", " + operand(2) + ")";
      case ExprKind::cast:
        return std::string(to_string(node.storage)) +
               (node.mode == CastMode::saturate ? ".sat(" : "(") + operand(0) + ")";
      case ExprKind::cases: {
        std::string out = "{";
        for (const Expr::Case& one : node.cases)
          out += text(one.guard) + ": " + text(one.value) + "; ";
        return out + "else " + operand(0) + "}";
      }
    }
    return {};
  }

  std::string list(const std::vector<Index>& indices) const {
    std::string out;
    for (const Index& index : indices) out += (out.empty() ? "" : ", ") + text(index);
    return out;
  }

  std::string operand_text(const Index& index) const {
    return index.kind() == IndexKind::polynomial ? "(" + text(index) + ")" : text(index);
  }

  std::string sum_text(const Index& index) const {
    std::string out;
    const auto add = [&](std::string part) {
      if (out.empty()) {
        out = std::move(part);
      } else if (part[0] == '-') {
        out += " - " + part.substr(1);
      } else {
        out += " + " + part;
      }
    };
    for (const Index::Term& term : index.terms()) {
      std::string product = term.coefficient == 1    ? ""
                            : term.coefficient == -1 ? "-"
                                                     : std::to_string(term.coefficient) + "*";
      for (size_t i = 0; i < term.atoms.size(); ++i)
        product += (i > 0 ? "*" : "") + text(term.atoms[i]);
      add(std::move(product));
    }
    if (index.constant_term() != 0) add(std::to_string(index.constant_term()));
    return out;
  }

  const TextNames& names_;
  mutable std::unordered_map<const ExprNode*, std::string> made_;  // looked up only
};

}  // namespace

std::string_view infix_of(Binary op) {
  switch (op) {
    case Binary::add:
      return "+";
    case Binary::sub:
      return "-";
    case Binary::mul:
      return "*";
    case Binary::div:
      return "/";
    case Binary::lt:
      return "<";
    case Binary::le:
      return "<=";
    case Binary::gt:
      return ">";
    case Binary::ge:
      return ">=";
    case Binary::eq:
      return "==";
    case Binary::ne:
      return "!=";
    default:
      return {};
  }
}

std::string number_text(double value) {
  std::array<char, 40> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 9);
  return error == std::errc() ? std::string(text.data(), end) : std::string();
}

std::string to_string(const Index& index, const TextNames& names) {
  return TextWriter(names).text(index);
}
std::string to_string(const Guard& guard, const TextNames& names) {
  return TextWriter(names).text(guard);
}
std::string to_string(const Expr& expr, const TextNames& names) {
  return TextWriter(names).text(expr);
}

std::string to_string(const Index& index) { return to_string(index, dump_names()); }
std::string to_string(const Guard& guard) { return to_string(guard, dump_names()); }
std::string to_string(const Expr& expr) { return to_string(expr, dump_names()); }

std::string to_string(const std::vector<Dim>& shape) {
  std::string out;
  for (const Dim& dim : shape) out += (out.empty() ? "" : ", ") + to_string(dim);
  return "[" + out + "]";
}

}  // namespace burin
