// StringNormalizer: the strings of a list without stopwords, in another case; one empty string
// where none is left. Since opset 10.
#include "ops/api/core/op_def.h"
#include "ops/api/strings/letter_case.h"
#include "support/diagnostics.h"

namespace burin::string_normalizer_op {
namespace {

LetterCase case_of(OpContext& op) {
  const std::string action = op.text("case_change_action", "NONE");
  if (action == "NONE") return LetterCase::as_it_is;
  if (action == "LOWER") return LetterCase::lower;
  if (action == "UPPER") return LetterCase::upper;
  refuse("bad-attribute", "case_change_action is " + quoted(action));
}

ByteReader in_case(OpContext& op, const Operand& mapping, const ByteReader& string) {
  return
      [&op, mapping, string](const Index& byte) { return byte_in_case(op, mapping, string, byte); };
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 1 && x.rank() != 2) refuse("shape-mismatch", "X must have rank 1 or 2");
  if (x.rank() == 2) op.require_equal(x.dim(0), 1, "the first dimension of X");
  const Dim count = x.dim(-1);
  const auto place = [&](const Index& k) { return x.rank() == 1 ? Indices{k} : Indices{0, k}; };
  const LetterCase to = case_of(op);
  const bool with_case = op.integer("is_case_sensitive", 0) != 0;
  std::vector<std::string> stopwords = op.texts("stopwords", {});
  const Operand lower_case = case_mapping(op, LetterCase::lower);

  // keeps[k]: whether it is no stopword; upto[k]: how many are kept as far as this one.
  const Operand keeps = op.temporary("keeps", Type::i64, {count}),
                upto = op.temporary("upto", Type::i64, {count});
  KernelBuilder kept;
  const Index each = kept.axis(count);
  Expr keep = whole(1);
  if (!stopwords.empty()) {
    if (!with_case) {
      for (std::string& word : stopwords) word = burin::in_case(word, LetterCase::lower);
    }
    const ByteReader string = bytes_at(x, place(each));
    const Operand list = list_of(op, "stopwords", stopwords);
    const Expr found =
        place_in(op, kept, list, with_case ? string : in_case(op, lower_case, string));
    keep = Expr::cast(Type::i64, compare(Binary::ge, found, Expr::index(list.dim(0))));
  }
  kept.write(keeps, {each}, keep);
  op.emit(kept);
  KernelBuilder counted;
  const Index end = counted.axis(count), begin = counted.reduce_axis(count, "begin");
  const Expr is_before = compare(Binary::le, Expr::index(begin), Expr::index(end));
  counted.write(
      upto, {end},
      counted.reduce(Combiner::sum, {begin}, Expr::select(is_before, keeps.at({begin}), whole(0))));
  op.emit(counted);
  const Dim left = largest_of(op, "strings that are left", upto, count);

  const Dim results = max(left, 1);
  const Operand sources = op.temporary("sources", Type::i64, {results});
  KernelBuilder found;
  const Index result = found.axis(results), source = found.reduce_axis(count, "source");
  const Expr is_it = both(compare(Binary::gt, keeps.at({source}), whole(0)),
                          compare(Binary::eq, upto.at({source}), Expr::index(result) + whole(1)));
  found.write(
      sources, {result},
      found.reduce(Combiner::sum, {source}, Expr::select(is_it, Expr::index(source), whole(0))));
  op.emit(found);

  const Operand y = op.output(0, Type::string, x.rank() == 1 ? Shape{results} : Shape{1, results});
  const Operand mapping = to == LetterCase::upper ? case_mapping(op, to) : lower_case;
  op.map(y, [&](const Indices& at) {
    const Expr from = max(min(sources.at({at.back()}), Expr::index(count - 1)), whole(0));
    const Index k = Index::data(from.ptr(), {0, max(count - 1, 0).range().hi});
    const ByteReader string = bytes_at(x, place(k));
    const Expr byte = to == LetterCase::as_it_is ? string(byte_axis())
                                                 : byte_in_case(op, mapping, string, byte_axis());
    return Expr::cases({{{{left, 1, left + 1}}, byte}}, Expr::constant(Type::u8, 0));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "StringNormalizer",
          .since = 10,
          .inputs = {{"X", types::string}},
          .outputs = {{"Y"}},
          .attributes = {{"case_change_action", AttributeKind::text},
                         {"is_case_sensitive", AttributeKind::integer},
                         {"locale", AttributeKind::text},
                         {"stopwords", AttributeKind::texts}},
          .lower = lower,
          .note = "case of letters of one and two bytes, in no locale"};
}

}  // namespace burin::string_normalizer_op
