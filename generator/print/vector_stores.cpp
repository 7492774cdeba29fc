#include "print/vector_stores.h"

#include <cmath>
#include <utility>

#include "loops/lanewise.h"
#include "loops/walk.h"
#include "support/at.h"
#include "support/check.h"

namespace burin::print {
namespace {

const char* choice(Binary comparison) {
  switch (comparison) {
    case Binary::lt:
      return "select_less";
    case Binary::le:
      return "select_less_equal";
    case Binary::gt:
      return "select_greater";
    case Binary::ge:
      return "select_greater_equal";
    default:
      return "select_equal";
  }
}

constexpr size_t kLongestVector = 90;  // characters of an expression before it gets a name

}  // namespace

VectorStores::VectorStores(const loops::Program& program, const loops::For& loop, Element element,
                           const Language& language, TextBuilder& text, ExprPrinter& exprs,
                           Headers& headers)
    : program_(program),
      lane_(loop.var),
      begin_(loop.begin),
      lanes_(std::to_string(loop.lanes > 0 ? loop.lanes : (loop.end - loop.begin).constant())),
      element_(std::move(element)),
      language_(language),
      text_(text),
      exprs_(exprs),
      headers_(headers) {
  if (loop.lanes == 0) return;
  headers_.insert("first_lanes.h");
  count_ = without_parentheses(exprs_.text(loop.end - loop.begin));
}

std::string VectorStores::call(const std::string& function, const std::string& arguments) const {
  return "burin_rt::" + function + "(" + without_parentheses(arguments) + ")";
}

// The place of the first lane's element.
std::string VectorStores::pointer(loops::BufferId buffer, const std::vector<Index>& at) {
  std::vector<Index> first;
  for (const Index& index : at) first.push_back(loops::with_var(index, lane_, begin_));
  return "&" + element_(buffer, first);
}

std::string VectorStores::load(const std::string& function, loops::BufferId buffer,
                               const std::vector<Index>& at) {
  const std::string from = pointer(buffer, at);
  return count_.empty() ? call(function + "<" + lanes_ + ">", from)
                        : call("first_" + function + "<" + lanes_ + ">", from + ", " + count_);
}

std::string VectorStores::stored(const std::string& function, const loops::Store& store,
                                 const std::string& arguments) {
  const std::string to = pointer(store.to[0], store.at) + ", ";
  return count_.empty()
             ? "burin_rt::" + function + "(" + to + arguments + ");"
             : "burin_rt::first_" + function + "(" + to + count_ + ", " + arguments + ");";
}

std::string VectorStores::in_register(loops::BufferId buffer, const std::vector<Index>& place) {
  const loops::Buffer& one = program_.buffers[at(buffer)];
  BURIN_CHECK(std::to_string(one.shape.back().constant()) == lanes_, one.name + " has other lanes");
  std::string out = one.name;
  for (size_t d = 0; d + 1 < place.size(); ++d) out += "[" + exprs_.text(place[d]) + "]";
  return out;
}

void VectorStores::print(const loops::Store& store) {
  const std::string why = loops::not_lanewise(program_, store, lane_);
  BURIN_CHECK(why.empty(), why);
  headers_.insert("lanes.h");
  // What an earlier store read may be another value by now.
  names_.clear();
  uses_.clear();
  const loops::Buffer& to = program_.buffers[at(store.to[0])];
  const Expr& all = store.value[0];
  const bool limited = all.type() != Type::f32 && all.type() != Type::i32;
  const Expr& kept = limited ? all->operands[0] : all;
  if (const std::optional<Quantised> byte = limited ? quantised(kept) : std::nullopt) {
    count(byte->number);
    const std::string number = without_parentheses(value(byte->number));
    text_.line(stored("store_quantised", store, number + ", " + exprs_.text(byte->zero)));
    return;
  }
  count(kept);
  const std::string text = without_parentheses(value(kept));
  if (to.scope == loops::Scope::registers) {
    text_.line(in_register(store.to[0], store.at) + " = " + text + ";");
    return;
  }
  const char* function = limited                ? "store_saturated"
                         : to.type == Type::f32 ? "store"
                                                : "store_lanes";
  text_.line(stored(function, store, text));
}

// round(number) + zero, where the zero is one byte for all lanes.
std::optional<VectorStores::Quantised> VectorStores::quantised(const Expr& limited) const {
  const auto is_rounded = [&](const Expr& expr) {
    return expr.kind() == ExprKind::unary && expr->unary() == Unary::round &&
           loops::moves_with(expr, lane_);
  };
  if (is_rounded(limited)) return Quantised{limited->operands[0], Expr::constant(Type::i32, 0)};
  if (limited.kind() != ExprKind::binary || limited->binary() != Binary::add ||
      !is_rounded(limited->operands[0]) || loops::moves_with(limited->operands[1], lane_))
    return std::nullopt;
  const Expr& zero = limited->operands[1];
  const Expr& number = limited->operands[0]->operands[0];
  if (zero.is_constant() && zero->number >= -128 && zero->number <= 255 &&
      zero->number == std::nearbyint(zero->number))
    return Quantised{number, Expr::constant(Type::i32, static_cast<int64_t>(zero->number))};
  if (zero.kind() == ExprKind::cast && size_bits(zero->operands[0].type()) == 8)
    return Quantised{number, Expr::cast(Type::i32, zero->operands[0])};
  return std::nullopt;
}

// Uses of what is computed for all lanes.
void VectorStores::count(const Expr& expr) {
  if (!loops::moves_with(expr, lane_) || ++uses_[expr] > 1) return;
  for (const Expr& operand : expr->operands) count(operand);
}

std::string VectorStores::value(const Expr& expr) {
  if (const auto named = names_.find(expr); named != names_.end()) return named->second;
  std::string text = compute(expr);
  if (uses_[expr] < 2 && text.size() <= kLongestVector) return text;
  const std::string name = exprs_.fresh("t");
  text_.line("const burin_rt::" + std::string(expr.type() == Type::f32 ? "Float" : "Int") +
             "Vector<" + lanes_ + "> " + name + " = " + without_parentheses(text) + ";");
  names_[expr] = name;
  return name;
}

std::string VectorStores::compute(const Expr& expr) {
  const bool real = expr.type() == Type::f32;
  if (!loops::moves_with(expr, lane_))
    return call((real ? "broadcast<" : "broadcast_int<") + lanes_ + ">", exprs_.text(expr));
  switch (expr.kind()) {
    case ExprKind::load:
      if (program_.buffers[at(expr->id)].scope == loops::Scope::registers)
        return in_register(expr->id, expr->at);
      return load(real ? "load" : "load_int", expr->id, expr->at);
    case ExprKind::cast: {
      const Expr& from = expr->operands[0];
      std::string integer;
      if (from.type() == Type::i32) {
        integer = value(from);
      } else if (from.kind() == ExprKind::load) {
        integer = load("load_int", from->id, from->at);
      } else if (const std::optional<Quantised> byte = quantised(from->operands[0])) {
        const std::string number = value(byte->number);
        integer = call("quantised<" + language_.storage_name(from->storage) + ">",
                       number + ", " + exprs_.text(byte->zero));
      } else {
        integer = call("saturated<" + language_.storage_name(from->storage) + ">",
                       value(from->operands[0]));
      }
      return real ? call("to_float", integer) : integer;
    }
    case ExprKind::fused: {
      const std::string a = value(expr->operands[0]), b = value(expr->operands[1]);
      return call("multiply_add", a + ", " + b + ", " + value(expr->operands[2]));
    }
    case ExprKind::select: {
      headers_.insert("lane_functions.h");
      const Expr& condition = expr->operands[0];
      const std::string a = value(condition->operands[0]), b = value(condition->operands[1]);
      const std::string x = value(expr->operands[1]), y = value(expr->operands[2]);
      return call(choice(condition->binary()), a + ", " + b + ", " + x + ", " + y);
    }
    case ExprKind::unary: {
      const Unary op = expr->unary();
      if (loops::is_lane_function(op)) {
        headers_.insert("lane_functions.h");
        return call(std::string(burin::to_string(op)), value(expr->operands[0]));
      }
      return call(op == Unary::neg   ? "negate"
                  : op == Unary::abs ? "abs"
                                     : "round_half_even",
                  value(expr->operands[0]));
    }
    case ExprKind::binary: {
      const Binary op = expr->binary();
      const std::string a = value(expr->operands[0]), b = value(expr->operands[1]);
      if (op == Binary::min || op == Binary::max)
        return call(op == Binary::min ? "least" : "greatest", a + ", " + b);
      if (!real)
        return call(op == Binary::add   ? "add_wrap"
                    : op == Binary::sub ? "subtract_wrap"
                                        : "multiply_wrap",
                    a + ", " + b);
      const char* sign = op == Binary::add   ? " + "
                         : op == Binary::sub ? " - "
                         : op == Binary::mul ? " * "
                                             : " / ";
      return "(" + a + sign + b + ")";
    }
    default:
      BURIN_CHECK(false, "no form for vectors");
      return {};
  }
}

}  // namespace burin::print
