// ai.onnx.ml ZipMap: rows of numbers as maps from keys. A map has no representation: the result is
// the rows as they are, and the interface says which column is of which key.
#include "ops/api/learning/ml_classes.h"
#include "support/diagnostics.h"

namespace burin::ml_zip_map_op {
namespace {

constexpr size_t kMostKeys = 16;

void lower(OpContext& op) {
  const Operand x = op.input(0);
  if (x.rank() != 1 && x.rank() != 2)
    refuse("shape-mismatch", "X has shape " + to_string(x.shape()) + "; it must be rows");
  const std::vector<std::string> texts = op.texts("classlabels_strings", {});
  const std::vector<int64_t> numbers = op.integers("classlabels_int64s", {});
  if (texts.empty() == numbers.empty())
    refuse("bad-attribute", "either strings or integers are the keys");
  const size_t keys = texts.size() + numbers.size();
  op.require_equal(x.dim(-1), static_cast<int64_t>(keys), "columns and keys");
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) { return x.at(at); });
  if (!op.has_output(0)) return;
  std::string note = "keys of the columns: ";
  for (size_t k = 0; k < std::min(keys, kMostKeys); ++k)
    note +=
        (k ? ", " : "") + (texts.empty() ? std::to_string(numbers[k]) : burin::quoted(texts[k]));
  if (keys > kMostKeys) note += " and so on, " + std::to_string(keys) + " in all";
  op.set_note(0, note);
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "ZipMap",
                .inputs = {{"X", types::f32}},
                .outputs = {{"Z"}},
                .attributes = {{"classlabels_int64s", AttributeKind::integers},
                               {"classlabels_strings", AttributeKind::texts}},
                .lower = lower,
                .note = "gives the rows; the header names the keys"});
}

}  // namespace burin::ml_zip_map_op
