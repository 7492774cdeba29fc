// Einsum: sums of products over indices that an equation names. A repeated letter in one operand is
// a diagonal; an ellipsis stands for dimensions that are broadcast. Without "->" the result has the
// ellipsis and then the letters that occur once, sorted. Since opset 12.
#include <algorithm>
#include <map>

#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "support/diagnostics.h"

namespace burin::einsum_op {
namespace {

constexpr char kEllipsis = '.';
using Term = std::string;  // letters, and one kEllipsis for "..."

[[noreturn]] void refuse_equation(const std::string& equation, const std::string& why) {
  refuse("bad-attribute", "equation " + quoted(equation) + ": " + why);
}

Term parse_term(const std::string& text, const std::string& equation) {
  Term term;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (text.compare(i, 3, "...") == 0) {
      if (term.find(kEllipsis) != Term::npos) refuse_equation(equation, "two ellipses in a term");
      term += kEllipsis;
      i += 2;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      term += c;
    } else {
      refuse_equation(equation, "a character that is no letter");
    }
  }
  return term;
}

struct Equation {
  std::vector<Term> operands;
  Term result;
};

Equation parse(const std::string& text) {
  Equation equation;
  const size_t arrow = text.find("->");
  const std::string left = text.substr(0, arrow);
  size_t begin = 0;
  for (;;) {
    const size_t comma = left.find(',', begin);
    equation.operands.push_back(
        parse_term(left.substr(begin, comma == std::string::npos ? comma : comma - begin), text));
    if (comma == std::string::npos) break;
    begin = comma + 1;
  }
  if (arrow != std::string::npos) {
    equation.result = parse_term(text.substr(arrow + 2), text);
    return equation;
  }
  std::map<char, int> counts;
  for (const Term& term : equation.operands) {
    for (const char c : term) ++counts[c];
  }
  // '.' sorts before letters, so the ellipsis comes first.
  for (const auto& [letter, count] : counts) {
    if (letter == kEllipsis || count == 1) equation.result += letter;
  }
  return equation;
}

void lower(OpContext& op) {
  const std::string text = op.text("equation", "");
  const Equation equation = parse(text);
  if (static_cast<int>(equation.operands.size()) != op.input_count())
    refuse_equation(text, std::to_string(op.input_count()) + " operands are given");
  std::map<char, Dim> extents;
  std::vector<Shape> broadcast_parts;
  std::vector<Operand> operands;
  for (size_t i = 0; i < equation.operands.size(); ++i) {
    const Operand x = op.input(static_cast<int>(i));
    if (x.type() != op.input(0).type()) refuse("type-mismatch", "the operands must have one type");
    const Term& term = equation.operands[i];
    const bool open = term.find(kEllipsis) != Term::npos;
    const int letters = static_cast<int>(term.size()) - (open ? 1 : 0);
    if (open ? x.rank() < letters : x.rank() != letters)
      refuse_equation(text, "an operand has rank " + std::to_string(x.rank()));
    int d = 0;
    for (const char c : term) {
      if (c == kEllipsis) {
        const int wide = x.rank() - letters;
        broadcast_parts.emplace_back(x.shape().begin() + d, x.shape().begin() + d + wide);
        d += wide;
        continue;
      }
      const auto [at, fresh] = extents.emplace(c, x.dim(d));
      if (!fresh) op.require_equal(at->second, x.dim(d), "extents of one letter");
      ++d;
    }
    operands.push_back(x);
  }
  const Shape wide = broadcast(op, broadcast_parts);

  KernelBuilder kernel;
  std::map<char, Index> axes;
  Indices lead, to, reduced;
  Shape shape;
  for (size_t i = 0; i < equation.result.size(); ++i) {
    const char c = equation.result[i];
    if (c == kEllipsis) {
      lead = kernel.axes(wide);
      shape.insert(shape.end(), wide.begin(), wide.end());
      to.insert(to.end(), lead.begin(), lead.end());
      continue;
    }
    if (!extents.contains(c) || axes.contains(c))
      refuse_equation(text, "a letter of the result is unknown or repeated");
    axes[c] = kernel.axis(extents[c], std::string(1, c));
    shape.push_back(extents[c]);
    to.push_back(axes[c]);
  }
  for (const auto& [letter, extent] : extents) {
    if (axes.contains(letter)) continue;
    axes[letter] = kernel.reduce_axis(extent, std::string(1, letter));
    reduced.push_back(axes[letter]);
  }
  if (lead.size() != wide.size()) {  // the ellipsis is summed over
    for (const Dim& extent : wide) lead.push_back(kernel.reduce_axis(extent));
    reduced.insert(reduced.end(), lead.begin(), lead.end());
  }
  const Operand y = op.output(0, operands[0].type(), shape);
  Expr value;
  for (size_t i = 0; i < operands.size(); ++i) {
    Indices at;
    for (const char c : equation.operands[i]) {
      if (c != kEllipsis) {
        at.push_back(axes[c]);
        continue;
      }
      const int own = operands[i].rank() - static_cast<int>(equation.operands[i].size()) + 1;
      for (int d = 0; d < own; ++d) {
        const size_t from_end = static_cast<size_t>(own - d);
        const Dim& extent = operands[i].dim(static_cast<int>(at.size()));
        at.push_back(min(lead[lead.size() - from_end], extent - 1));
      }
    }
    const Expr element = operands[i].at(at);
    value = value ? value * element : element;
  }
  if (!reduced.empty()) value = kernel.reduce(Combiner::sum, reduced, value);
  kernel.write(y, to, value);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "Einsum",
          .since = 12,
          .inputs = {{"Inputs", types::numeric, Arity::variadic}},
          .outputs = {{"Output"}},
          .attributes = {{"equation", AttributeKind::text, true}},
          .lower = lower};
}

}  // namespace burin::einsum_op
