#include "kernel/sign_sums.h"

namespace burin {
namespace {

bool is_operation(const Expr& expr, Binary op) {
  return expr.kind() == ExprKind::binary && expr->binary() == op;
}

}  // namespace

Expr counted_word(const Let& let) {
  if (let.op != Combiner::sum || let.body.size() != 1 || let.accumulator[0] != Type::i32) return {};
  const Expr& body = let.body[0];
  if (body.kind() != ExprKind::cast || body->mode != CastMode::convert) return {};
  const Expr& ones = body->operands[0];
  const bool counts = ones.kind() == ExprKind::unary && ones->unary() == Unary::popcount &&
                      ones->operands[0].type() == Type::u32;
  return counts ? ones->operands[0] : Expr{};
}

std::optional<SignWords> sign_words(const Expr& word) {
  if (!is_operation(word, Binary::bit_and) || !is_operation(word->operands[1], Binary::bit_xor))
    return std::nullopt;
  const Expr& differing = word->operands[1];
  return SignWords{word->operands[0], differing->operands[0], differing->operands[1]};
}

bool is_sum_of_signs(const Let& let) {
  const Expr word = counted_word(let);
  return word && sign_words(word).has_value();
}

}  // namespace burin
