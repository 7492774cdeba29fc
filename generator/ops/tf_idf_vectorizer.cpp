// TfIdfVectorizer: how often n-grams of a pool occur in a row of numbers or strings, with up to
// max_skip_count numbers left out between their parts; weighted, or only whether they do. Since
// opset 9.
#include <algorithm>

#include "kernel/tensor.h"
#include "ops/api/core/op_context.h"
#include "ops/api/core/op_def.h"
#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin::tf_idf_vectorizer_op {
namespace {

// The n-grams of one length, by the column that counts them.
struct Grams {
  int64_t length = 1;
  std::vector<int64_t> parts;  // [column, length]
  std::vector<int64_t> there;  // [column]: 1 where there is one
};

constexpr int64_t kMostLength = 64, kMostColumns = int64_t{1} << 24;

Operand constant(OpContext& op, const std::string& what, Type type, std::vector<int64_t> shape,
                 const std::vector<int64_t>& numbers) {
  const HostTensor host = make_tensor(type, std::move(shape), numbers);
  return op.constant_operand(what, {host.type, host.shape, to_constant(host), {}});
}

// The pool cut by lengths. Several n-grams of one column and length stand in several layers.
std::vector<Grams> layers_of(const OpContext& op, const std::vector<int64_t>& pool,
                             int64_t columns) {
  const std::vector<int64_t> begins = op.integers("ngram_counts"),
                             places = op.integers("ngram_indexes");
  const int64_t shortest = op.integer("min_gram_length"), longest = op.integer("max_gram_length");
  if (shortest < 1 || longest < shortest || longest > kMostLength)
    refuse("bad-attribute", "min_gram_length and max_gram_length are " + std::to_string(shortest) +
                                " and " + std::to_string(longest));
  std::vector<Grams> layers;
  size_t gram = 0;
  for (size_t k = 0; k < begins.size(); ++k) {
    const auto length = static_cast<int64_t>(k) + 1, size = static_cast<int64_t>(pool.size());
    const int64_t begin = begins[k], end = k + 1 < begins.size() ? begins[k + 1] : size;
    if (begin < 0 || end < begin || end > size || (end - begin) % length != 0)
      refuse("bad-attribute", "ngram_counts do not cut the pool into n-grams");
    const size_t first = layers.size();
    for (int64_t at = begin; at < end; at += length, ++gram) {
      if (gram >= places.size())
        refuse("bad-attribute", "ngram_indexes are fewer than the n-grams");
      if (length < shortest || length > longest) continue;
      const auto column = static_cast<size_t>(places[gram]);
      size_t layer = first;
      while (layer < layers.size() && layers[layer].there[column] != 0) ++layer;
      if (layer == layers.size()) {
        const auto count = static_cast<size_t>(columns);
        layers.push_back({length, std::vector<int64_t>(count * static_cast<size_t>(length)),
                          std::vector<int64_t>(count)});
      }
      layers[layer].there[column] = 1;
      for (int64_t p = 0; p < length; ++p) {
        layers[layer].parts[column * static_cast<size_t>(length) + static_cast<size_t>(p)] =
            pool[static_cast<size_t>(at + p)];
      }
    }
  }
  return layers;
}

// Strings as their places among the different ones of the pool; others are behind these.
Operand as_places(OpContext& op, const Operand& x, std::vector<int64_t>& pool) {
  std::vector<std::string> list;
  for (const std::string& one : op.texts("pool_strings", {})) {
    const auto found = std::find(list.begin(), list.end(), one);
    pool.push_back(found - list.begin());
    if (found == list.end()) list.push_back(one);
  }
  return places_in(op, list_of(op, "pool", list), x);
}

void lower(OpContext& op) {
  Operand x = op.input(0);
  if (x.rank() != 1 && x.rank() != 2) refuse("shape-mismatch", "X must have rank 1 or 2");
  std::vector<int64_t> pool;
  if (x.type() == Type::string) {
    if (!op.has("pool_strings")) refuse("bad-attribute", "attribute 'pool_strings' is missing");
    x = as_places(op, x, pool);
  } else {
    if (!op.has("pool_int64s")) refuse("bad-attribute", "attribute 'pool_int64s' is missing");
    pool = op.integers("pool_int64s");
  }
  const std::string mode = op.text("mode", "TF");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
    refuse("bad-attribute", "mode is " + quoted(mode));
  const int64_t skips = op.integer("max_skip_count");
  if (skips < 0) refuse("bad-attribute", "max_skip_count is " + std::to_string(skips));
  int64_t columns = 0;
  for (const int64_t place : op.integers("ngram_indexes")) {
    if (place < 0 || place >= kMostColumns)
      refuse("bad-attribute", "ngram_indexes hold " + std::to_string(place));
    columns = std::max(columns, place + 1);
  }
  const std::vector<double> weights = op.reals("weights", {});
  if (!weights.empty() && static_cast<int64_t>(weights.size()) < columns)
    refuse("bad-attribute", "weights are fewer than the columns");
  Shape shape = x.shape();
  shape.back() = columns;
  const Operand y = op.output(0, Type::f32, shape);

  KernelBuilder kernel;
  const Indices at = kernel.axes(shape);
  const Index column = at.back();
  Expr count = Expr::constant(Type::f32, 0);
  const std::vector<Grams> layers = layers_of(op, pool, columns);
  for (size_t k = 0; k < layers.size(); ++k) {
    const Grams& grams = layers[k];
    const std::string name = std::to_string(k);
    const Operand parts =
        constant(op, "grams" + name, x.type(), {columns, grams.length}, grams.parts);
    const Operand there = constant(op, "there" + name, Type::boolean, {columns}, grams.there);
    const Index begin = kernel.reduce_axis(x.dim(-1), "begin");
    const Index skip = grams.length == 1 ? Index(0) : kernel.reduce_axis(skips + 1, "skip");
    Expr same = there.at({column});
    for (int64_t p = 0; p < grams.length; ++p) {
      Indices from = at;
      from.back() = begin + (skip + 1) * p;
      const Expr equal = compare(Binary::eq, x.at(from), parts.at({column, Index(p)}));
      // Behind the end of the row there is nothing.
      const Expr here = Expr::cases({{{{from.back(), 0, x.dim(-1)}}, equal}}, Expr::boolean(false));
      same = Expr::binary(Binary::logical_and, same, here);
    }
    const Indices reduced = grams.length == 1 ? Indices{begin} : Indices{begin, skip};
    count = count + kernel.reduce(Combiner::sum, reduced, Expr::cast(Type::f32, same));
  }
  if (mode == "IDF") count = min(count, Expr::constant(Type::f32, 1));
  if (mode != "TF" && !weights.empty()) {
    const HostTensor host = make_tensor(Type::f32, {static_cast<int64_t>(weights.size())}, weights);
    count =
        count *
        op.constant_operand("weights", {host.type, host.shape, to_constant(host), {}}).at({column});
  }
  kernel.write(y, at, count);
  op.emit(kernel);
}

}  // namespace

OpDef definition() {
  return {.name = "TfIdfVectorizer",
          .since = 9,
          .inputs = {{"X", types::indices | types::string}},
          .outputs = {{"Y"}},
          .attributes = {{"max_gram_length", AttributeKind::integer, true},
                         {"max_skip_count", AttributeKind::integer, true},
                         {"min_gram_length", AttributeKind::integer, true},
                         {"mode", AttributeKind::text, true},
                         {"ngram_counts", AttributeKind::integers, true},
                         {"ngram_indexes", AttributeKind::integers, true},
                         {"pool_int64s", AttributeKind::integers},
                         {"pool_strings", AttributeKind::texts},
                         {"weights", AttributeKind::reals}},
          .lower = lower};
}

}  // namespace burin::tf_idf_vectorizer_op
