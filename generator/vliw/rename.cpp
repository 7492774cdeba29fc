#include "vliw/rename.h"

#include <algorithm>
#include <string>

#include "vliw/effects.h"

namespace burin::vliw {
namespace {

struct Span {
  char kind = 0;
  int first = -1, width = 1;
  RegisterSet set() const {
    RegisterSet all;
    for (int k = 0; k < width; ++k) all.add(first + k);
    return all;
  }
};

char letter_of(char kind) {
  return kind == 'R' ? 'r' : kind == 'V' ? 'v' : kind == 'P' ? 'p' : 'q';
}

int base_of(char kind) {
  return kind == 'R'   ? kScalar
         : kind == 'V' ? kVector
         : kind == 'P' ? kPredicate
                       : kVectorPredicate;
}

std::string name_of(char kind, int first, int width) {
  const std::string letter(1, letter_of(kind));
  const int number = first - base_of(kind);
  if (width == 1) return letter + std::to_string(number);
  return letter + std::to_string(number + width - 1) + ":" + std::to_string(number);
}

// The operand of `i` that writes all of a span without condition; nothing if there is none.
std::optional<Span> starts(const Instruction& i, int reg) {
  if (effects_of(i).conditional) return std::nullopt;
  for (size_t k = 0; k < i.operands.size(); ++k) {
    const Operand& operand = i.operands[k];
    if (i.form->roles[k].role != 'd' || !operand.set.has(reg) || operand.first < 0) continue;
    if (std::string_view("RVPQ").find(operand.kind) == std::string_view::npos) continue;
    if (operand.width != 1 && operand.width != 2) continue;
    // it must not read the same registers by another operand: that is the range before it
    return Span{operand.kind, operand.first, operand.width};
  }
  return std::nullopt;
}

bool touches(const Instruction& i, const RegisterSet& set) {
  const Effects e = effects_of(i);
  return (e.reads | e.new_reads | e.writes).meets(set);
}

// Renames the operands of `i` inside the span by a shift; which: 's' those that read, 'd' those
// that write, 'b' both. False if an operand reaches over the span's edge, is named in no operand,
// is tied to one that stays, or may not have such a number.
bool shift(Instruction& i, const Span& from, int to, char which) {
  const RegisterSet set = from.set();
  RegisterSet named;
  for (size_t k = 0; k < i.operands.size(); ++k) {
    Operand& operand = i.operands[k];
    named |= operand.set;
    if (!operand.set.meets(set)) continue;
    const char role = i.form->roles[k].role;
    const bool reads = role == 's' || role == 'n', writes = role == 'd' || role == 'f';
    if ((which == 's' && writes) || (which == 'd' && reads)) continue;
    if (role == 'x' && which != 'b') return false;
    if (!(operand.set - set).empty() || operand.kind != from.kind) return false;
    const int number = operand.first - from.first + to;
    const int in_file = number - base_of(from.kind);
    // Some take r0-r7 and r16-r23, some only r0-r7: what it has says what it takes.
    const bool low = operand.first - base_of(from.kind) < 8;
    if (i.form->roles[k].low && operand.kind == 'R' && in_file >= 8 &&
        (low || in_file < 16 || in_file >= 24))
      return false;
    operand.first = number;
    operand.set = {};
    for (int w = 0; w < operand.width; ++w) operand.set.add(number + w);
    operand.text = name_of(operand.kind, number, operand.width);
  }
  // implicit ones cannot move, tied ones only together
  return keeps_tie(i) && !((i.form->uses | i.form->defs) & set).meets(set);
}

std::vector<int> places(const Span& span, const RegisterSet& free) {
  std::vector<int> all;
  const int base = base_of(span.kind);
  const int count = span.kind == 'R' || span.kind == 'V' ? 32 : 4;
  for (int number = 0; number + span.width <= count; number += span.width) {
    const Span other{span.kind, base + number, span.width};
    if ((other.set() - free).empty()) all.push_back(other.first);
  }
  return all;
}

// Renames [from, last]: the write at `from`, all between, and the reads at `last` if it is a new
// start of the span.
std::optional<std::vector<Instruction>> moved(const std::vector<Instruction>& body, size_t from,
                                              size_t last, bool reads_at_last, const Span& span,
                                              int to) {
  std::vector<Instruction> out = body;
  if (!shift(out[from], span, to, 'd')) return std::nullopt;
  for (size_t u = from + 1; u < last; ++u) {
    if (touches(body[u], span.set()) && !shift(out[u], span, to, 'b')) return std::nullopt;
  }
  if (reads_at_last && last < body.size() && touches(body[last], span.set()) &&
      !shift(out[last], span, to, 's'))
    return std::nullopt;
  return out;
}

RegisterSet without(const RegisterSet& free, const Span& span, int to) {
  return free - Span{span.kind, to, span.width}.set();
}

// Where the range that starts at `from` ends: the next start of the same registers, or the end.
size_t end_of(const std::vector<Instruction>& body, size_t from, const Span& span) {
  for (size_t u = from + 1; u < body.size(); ++u) {
    const std::optional<Span> next = starts(body[u], span.first);
    if (next && (span.set() - next->set()).empty()) return u;
  }
  return body.size();
}

}  // namespace

std::vector<Instruction> rename_ranges(std::vector<Instruction> body, const Machine&,
                                       RegisterSet& free) {
  for (size_t u = 0; u < body.size(); ++u) {
    for (size_t k = 0; k < body[u].operands.size(); ++k) {
      if (body[u].form->roles[k].role != 'd') continue;
      const std::optional<Span> span = starts(body[u], body[u].operands[k].first);
      if (!span || body[u].operands[k].first != span->first) continue;
      const size_t end = end_of(body, u, *span);
      if (end == body.size()) continue;  // its value may be read in the next iteration or behind
      for (const int to : places(*span, free)) {
        if (auto out = moved(body, u, end, true, *span, to)) {
          body = std::move(*out);
          free = without(free, *span, to);
          break;
        }
      }
    }
  }
  return body;
}

std::optional<std::vector<Instruction>> split_range(const std::vector<Instruction>& body, int from,
                                                    int reg, const Machine& machine,
                                                    RegisterSet& free) {
  const auto start = static_cast<size_t>(from);
  const std::optional<Span> span = starts(body[start], reg);
  if (!span) return std::nullopt;
  const size_t end = end_of(body, start, *span);
  std::vector<size_t> uses;
  for (size_t u = start + 1; u < std::min(end + 1, body.size()); ++u) {
    if (touches(body[u], span->set())) uses.push_back(u);
  }
  const size_t copy_at = uses.empty() ? body.size() : uses[uses.size() / 2];
  for (const int to : places(*span, free)) {
    auto out = moved(body, start, copy_at, false, *span, to);
    if (!out) continue;
    Instruction copy = parse_instruction(name_of(span->kind, span->first, span->width) + " = " +
                                             name_of(span->kind, to, span->width),
                                         machine, body[start].line, body[start].column);
    if (copy.form == nullptr) return std::nullopt;
    out->insert(out->begin() + static_cast<std::ptrdiff_t>(copy_at), std::move(copy));
    free = without(free, *span, to);
    return out;
  }
  return std::nullopt;
}

}  // namespace burin::vliw
