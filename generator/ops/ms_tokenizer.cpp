// com.microsoft Tokenizer: the pieces of strings that an expression finds, as many as the longest
// list has, with pad_value behind. The expression is a class of characters, repeated or not, as
// vectorisers of text are exported with.
#include <algorithm>
#include <bitset>

#include "ops/api/math/fused.h"
#include "ops/api/strings/regex.h"
#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin::ms_tokenizer_op {
namespace {

Indices with(Indices at, const Index& byte) {
  at.push_back(byte);
  return at;
}

// The bytes that pieces are made of, and whether each character is a piece of its own.
struct Rule {
  std::bitset<256> bytes;
  bool single = false;
};

// Of an expression that is one class: every position follows what `single` says, and none other.
Rule rule_of(OpContext& op) {
  const std::string expression = op.text("tokenexp", "");
  if (expression.empty())
    refuse("unsupported-feature", "the pieces are cut at separators",
           "cut the text in front of the model, or export it with tokenexp");
  const Automaton automaton = automaton_of(expression);
  Rule rule;
  for (const std::bitset<256>& bytes : automaton.bytes) rule.bytes |= bytes;
  // Bytes of several are those of characters beyond ASCII, all of which there are or none.
  std::bitset<256> beyond;
  for (size_t byte = 128; byte < 256; ++byte) beyond[byte] = rule.bytes[byte];
  std::bitset<256> all_beyond;
  for (size_t byte = 0x80; byte <= 0xBF; ++byte) all_beyond.set(byte);
  for (size_t byte = 0xC2; byte <= 0xF4; ++byte) all_beyond.set(byte);
  const auto loops = [&](int from, int to) {
    const std::vector<int>& follow = automaton.follow[static_cast<size_t>(from)];
    return std::find(follow.begin(), follow.end(), to) != follow.end();
  };
  rule.single = !automaton.first.empty() && !loops(automaton.first[0], automaton.first[0]);
  bool is_class = !automaton.empty && (beyond.none() || beyond == all_beyond);
  const size_t positions = beyond.none() ? 1 : 1 + 2 + 3 + 4;
  is_class = is_class && automaton.bytes.size() == positions &&
             automaton.first.size() == (beyond.none() ? 1U : 4U);
  for (const int last : automaton.last) {
    for (const int first : automaton.first)
      is_class = is_class && loops(last, first) != rule.single;
  }
  if (!is_class)
    refuse("unsupported-feature", "tokenexp " + quoted(expression) + " is no class of characters",
           "cut the text in front of the model");
  return rule;
}

// Whether a byte is of a class, by ranges of bytes.
Expr is_of(const std::bitset<256>& bytes, const Expr& byte) {
  Expr out = Expr::boolean(false);
  for (size_t first = 1; first < 256; ++first) {
    if (!bytes[first]) continue;
    size_t last = first;
    while (last + 1 < 256 && bytes[last + 1]) ++last;
    out = either(out, is_between(byte, static_cast<int64_t>(first), static_cast<int64_t>(last)));
    first = last;
  }
  return out;
}

Expr continues(const Expr& byte) { return is_between(byte, 0x80, 0xBF); }

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 1 && x.rank() != 2) refuse("shape-mismatch", "X must have rank 1 or 2");
  const bool marked = op.integer("mark", 0) != 0;
  const int64_t fewest = op.integer("mincharnum", 1), bytes = op.string_bytes();
  const Rule rule = rule_of(op);
  const auto reads = [&](const Indices& at) {
    return [&x, &rule, at](const Index& byte) { return is_of(rule.bytes, x.byte_at(at, byte)); };
  };
  // Where a piece begins, and behind which byte it ends.
  const auto begins_at = [&](const Indices& at, const Index& byte) {
    const Expr before = Expr::cases({{{{byte, 1, bytes}}, x.byte_at(at, max(byte - 1, 0))}},
                                    Expr::constant(Type::u8, 0));
    const Expr here = reads(at)(byte);
    if (rule.single)
      return both(here, Expr::unary(Unary::logical_not, continues(x.byte_at(at, byte))));
    return both(here, Expr::unary(Unary::logical_not, is_of(rule.bytes, before)));
  };
  Shape each_byte = x.shape();
  each_byte.emplace_back(bytes);
  const Operand stops = op.temporary("stops", Type::i64, each_byte),
                kept = op.temporary("kept", Type::i64, each_byte),
                upto = op.temporary("upto", Type::i64, each_byte);
  KernelBuilder found;
  const Indices at = found.axes(x.shape());
  const Index byte = found.axis(bytes), next = found.reduce_axis(bytes, "next");
  const Expr is_behind = compare(Binary::gt, Expr::index(next), Expr::index(byte));
  const Expr is_stop = rule.single ? Expr::unary(Unary::logical_not, continues(x.byte_at(at, next)))
                                   : Expr::unary(Unary::logical_not, reads(at)(next));
  const Expr stop =
      found.reduce(Combiner::min, {next},
                   Expr::select(both(is_behind, is_stop), Expr::index(next), whole(bytes)));
  const Index inner = found.reduce_axis(bytes, "inner");
  const Expr is_inside = both(both(compare(Binary::ge, Expr::index(inner), Expr::index(byte)),
                                   compare(Binary::lt, Expr::index(inner), stop)),
                              Expr::unary(Unary::logical_not, continues(x.byte_at(at, inner))));
  const Expr characters = found.reduce(Combiner::sum, {inner}, Expr::cast(Type::i64, is_inside));
  found.write(stops, with(at, byte), stop);
  found.write(kept, with(at, byte),
              Expr::cast(Type::i64, both(begins_at(at, byte),
                                         compare(Binary::ge, characters, whole(fewest)))));
  op.emit(found);
  KernelBuilder counted;
  const Indices row = counted.axes(x.shape());
  const Index end = counted.axis(bytes), begin = counted.reduce_axis(bytes, "begin");
  const Expr is_before = compare(Binary::le, Expr::index(begin), Expr::index(end));
  counted.write(upto, with(row, end),
                counted.reduce(Combiner::sum, {begin},
                               Expr::select(is_before, kept.at(with(row, begin)), whole(0))));
  op.emit(counted);

  // With marks there is one piece more at either end.
  const int64_t marks = marked ? 1 : 0;
  const Dim pieces = largest_of(op, "pieces", upto, bytes) + 2 * marks;
  Shape shape = x.shape();
  shape.push_back(pieces);
  const Operand places = op.temporary("places", Type::i64, shape);
  KernelBuilder placed;
  const Indices of = placed.axes(x.shape());
  const Index piece = placed.axis(pieces), from = placed.reduce_axis(bytes, "from");
  const Expr is_it =
      both(compare(Binary::gt, kept.at(with(of, from)), whole(0)),
           compare(Binary::eq, upto.at(with(of, from)), Expr::index(piece) + whole(1 - marks)));
  placed.write(
      places, with(of, piece),
      placed.reduce(Combiner::min, {from}, Expr::select(is_it, Expr::index(from), whole(bytes))));
  op.emit(placed);

  const Operand padding = list_of(op, "pad_value", {op.text("pad_value", "")}),
                edges = list_of(op, "marks", {std::string(1, '\x02'), std::string(1, '\x03')});
  op.map(op.output(0, Type::string, shape), [&](const Indices& all) {
    const Indices string(all.begin(), all.end() - 1);
    const Expr place = places.at(all), here = place + Expr::index(byte_axis());
    const Expr is_there = compare(Binary::lt, place, whole(bytes));
    const Expr last = stops.at(with(string, clipped(place, bytes)));
    const Expr text =
        Expr::select(compare(Binary::lt, here, last), x.byte_at(string, clipped(here, bytes)),
                     Expr::constant(Type::u8, 0));
    const Expr value = Expr::select(is_there, text, padding.at({Index(0)}));
    if (!marked) return value;
    const Expr number = Expr::index(all.back()), total = upto.at(with(string, Index(bytes - 1)));
    return Expr::select(
        compare(Binary::eq, number, whole(0)), edges.at({Index(0)}),
        Expr::select(compare(Binary::eq, number, total + whole(1)), edges.at({Index(1)}), value));
  });
}

}  // namespace

OpDef definition() {
  return ms_op({.name = "Tokenizer",
                .inputs = {{"X", types::string}},
                .outputs = {{"Y"}},
                .attributes = {{"mark", AttributeKind::integer},
                               {"mincharnum", AttributeKind::integer},
                               {"pad_value", AttributeKind::text},
                               {"separators", AttributeKind::texts},
                               {"tokenexp", AttributeKind::text}},
                .lower = lower,
                .note = "tokenexp is a class of characters, repeated or not"});
}

}  // namespace burin::ms_tokenizer_op
