// ai.onnx.ml CategoryMapper: strings to the integers that stand beside them, or back; a default
// where there is none.
#include "kernel/tensor.h"
#include "ops/api/learning/lookup.h"
#include "ops/api/learning/ml.h"
#include "support/diagnostics.h"

namespace burin::ml_category_mapper_op {
namespace {

void lower(OpContext& op) {
  std::vector<std::string> strings = op.texts("cats_strings", {});
  std::vector<int64_t> integers = op.integers("cats_int64s", {});
  if (strings.size() != integers.size())
    refuse("bad-attribute", "cats_strings and cats_int64s are not as many");
  const bool to_integers = op.input(0).type() == Type::string;
  if (to_integers) {
    integers.push_back(op.integer("default_int64", -1));
  } else {
    strings.push_back(op.text("default_string", "_Unused"));
  }
  const HostTensor host = make_tensor(Type::i64, {static_cast<int64_t>(integers.size())}, integers);
  const Tensor numbers = {Type::i64, host.shape, to_constant(host), {}},
               texts = list_tensor(std::move(strings));
  emit_lookup(op, to_integers ? texts : numbers, to_integers ? numbers : texts);
}

}  // namespace

OpDef definition() {
  return ml_op({.name = "CategoryMapper",
                .inputs = {{"X", types::i64 | types::string}},
                .outputs = {{"Y"}},
                .attributes = {{"cats_int64s", AttributeKind::integers},
                               {"cats_strings", AttributeKind::texts},
                               {"default_int64", AttributeKind::integer},
                               {"default_string", AttributeKind::text}},
                .lower = lower});
}

}  // namespace burin::ml_category_mapper_op
