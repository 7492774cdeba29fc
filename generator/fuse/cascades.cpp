#include "fuse/cascades.h"

#include <algorithm>

#include "fuse/access/products.h"
#include "fuse/attention/attention_exponents.h"
#include "fuse/attention/attention_form.h"
#include "fuse/attention/attention_weights.h"
#include "fuse/attention/positions.h"
#include "fuse/attention/sinks.h"
#include "fuse/cascade/back_to_back_fusion.h"
#include "fuse/cascade/cascade.h"
#include "fuse/cascade/chain.h"
#include "fuse/cascade/row_fusion.h"
#include "kernel/rewrite_kernel.h"
#include "support/at.h"

namespace burin {
namespace {

bool is_only_products(const Kernel& kernel) {
  return kernel.lets.size() == 1 && is_sum_of_products(kernel.lets[0]);
}

bool has_exponents(const Kernel& kernel) {
  bool found = false;
  visit_distinct(kernel.lets[0].body[0], [&](const ExprNode& node) {
    found = found || (node.kind == ExprKind::unary && node.unary() == Unary::exp);
  });
  return found;
}

// A kernel that has grown beyond all limits takes nothing in: a concatenation of thousands of
// parts is not cut and joined for every one of them.
bool is_too_large(const Kernel& reader, const FuseOptions& options) {
  return tree_size(reader) > 2 * options.most_nodes;
}

std::optional<Kernel> with_rows(const Kernel& producer, const Kernel& reader,
                                const BlockSteps& block, const FuseOptions& options) {
  if (producer.lets.empty() || is_too_large(reader, options)) return std::nullopt;
  std::optional<Kernel> all =
      fused_rows(producer, reader, block.values(), options.recomputed_operations);
  if (all && tree_size(*all) > options.most_nodes) all.reset();
  return all;
}

}  // namespace

namespace {

// A weighted sum and the softmax of its weights.
struct WeightedSum {
  Kernel kernel;
  std::vector<int> others;  // places of the others in it
  Kernel softmax;           // what makes the weights
};

// Where `weights` have one more reader, their total, that this one alone reads: the place of it;
// else -1.
int total_of(BlockSteps& block, int at, ValueId weights) {
  const std::set<int>& readers = block.readers(weights);
  if (readers.size() != 2 || !readers.contains(at)) return -1;
  const int other = *readers.begin() == at ? *readers.rbegin() : *readers.begin();
  const Kernel* total = block.kernel(other);
  if (!total || total->writes.size() != 1 || total->lets.size() != 1 ||
      total->lets[0].op != Combiner::sum)
    return -1;
  const ValueId result = total->writes[0].to;
  return block.only_maker(result) == other && *block.readers(result).begin() == at ? other : -1;
}

std::optional<WeightedSum> weighted_sum(BlockSteps& block, int at, ValueId weights,
                                        const FuseOptions& options) {
  const auto fuse_one = [&](const Kernel& maker, const Kernel& reader) -> std::optional<Kernel> {
    const std::optional<Fusible> fusible = find_fusible(maker, reader);
    if (!fusible) return std::nullopt;
    return fused(*fusible, options.recomputed_operations);
  };
  WeightedSum out{*block.kernel(at), {}, {}};
  int softmax = block.only_maker(weights);
  if (softmax < 0) {
    softmax = block.maker(weights);
    const int total = softmax < 0 ? -1 : total_of(block, at, weights);
    if (total < 0) return std::nullopt;
    std::optional<Kernel> with_total = fuse_one(*block.kernel(total), out.kernel);
    if (!with_total) return std::nullopt;
    out = {std::move(*with_total), {total}, {}};
  }
  // A product without exponents is not copied to find out that it is no softmax.
  const Kernel& weights_of = *block.kernel(softmax);
  if (weights_of.lets.empty() || (is_only_products(weights_of) && !has_exponents(weights_of)))
    return std::nullopt;
  out.softmax = *block.kernel(softmax);
  if (std::optional<WithoutSinks> kept = without_sinks(block, softmax, out.kernel)) {
    out = {std::move(kept->reader), out.others, std::move(kept->softmax)};
    out.others.push_back(kept->concat);
  }
  std::optional<Kernel> all = fuse_one(out.softmax, out.kernel);
  if (!all) return std::nullopt;
  out.kernel = std::move(*all);
  out.others.push_back(softmax);
  return out;
}

// The kernel in the spelling of the form; nullopt where it is no attention.
std::optional<Kernel> as_attention(Kernel kernel, const BlockSteps& block,
                                   const FuseOptions& options) {
  if (tree_size(kernel) > options.most_nodes) return std::nullopt;
  std::vector<Kernel> spellings{std::move(kernel)};
  if (std::optional<Kernel> other =
          with_plain_exponents(spellings[0], block.values(), options.fast_math))
    spellings.push_back(std::move(*other));
  for (const Kernel& one : spellings) {
    if (find_attention(one, block.values())) return one;
    std::optional<Kernel> plain = with_plain_weights(one, block.values(), options.fp16_weights);
    if (plain && find_attention(*plain, block.values())) return plain;
  }
  return std::nullopt;
}

}  // namespace

void fuse_attention(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel& sum = *block.kernel(at);
  if (!is_only_products(sum) || is_too_large(sum, options)) return;
  for (const ValueId weights : reads_of(sum)) {
    std::optional<WeightedSum> weighted = weighted_sum(block, at, weights, options);
    if (!weighted) continue;
    for (const ValueId scores : reads_of(weighted->softmax)) {
      const int scores_at = block.only_maker(scores);
      if (scores_at < 0 || !is_only_products(*block.kernel(scores_at))) continue;
      const std::optional<Fusible> first = find_fusible(*block.kernel(scores_at), weighted->kernel);
      if (!first) continue;
      // Where keys are values, too, their depth is still no element of the result.
      std::optional<Kernel> all = as_attention(
          fused(*first, options.recomputed_operations, SharedAxes::none), block, options);
      if (!all) continue;
      weighted->others.push_back(scores_at);
      for (const int one : weighted->others) {
        merge_origins(*all, *block.kernel(one), true);
        block.erase(one);
      }
      block.replace(at, std::move(*all));
      return;
    }
  }
}

void fuse_positions(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel& attention = *block.kernel(at);
  if (attention.lets.size() < 4 || !find_attention(attention, block.values())) return;
  for (const ValueId id : reads_of(attention)) {
    const int maker = block.only_maker(id);
    if (maker < 0 || !is_only_products(*block.kernel(maker))) continue;
    std::optional<Kernel> all = fused_positions(*block.kernel(maker), attention, block.values(),
                                                options.recomputed_operations);
    if (!all || tree_size(*all) > options.most_nodes) continue;
    merge_origins(*all, *block.kernel(maker), true);
    block.erase(maker);
    block.replace(at, std::move(*all));
    return;
  }
}

namespace {

// Whether a map has more points than the rows that it reads, elements of which are written: they
// are spread.
bool spreads(const Kernel& reader, const Kernel& producer) {
  const auto points_of = [](const Kernel& kernel) {
    Dim out = 1;
    for (const int axis : kernel.writes[0].over) out *= kernel.axes[at(axis)].extent;
    return at_hints(out);
  };
  return reader.lets.empty() && reader.writes.size() == 1 &&
         producer.writes[0].over.size() > producer.lets[0].over.size() &&
         points_of(reader) > points_of(producer);
}

}  // namespace

void fuse_rows(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel& producer = *block.kernel(at);
  if (producer.lets.empty() || producer.writes.size() != 1) return;
  const ValueId result = producer.writes[0].to;
  if (block.only_maker(result) != at) return;
  const int reader_at = *block.readers(result).begin();
  const Kernel* reader = block.kernel(reader_at);
  // Rows of bytes are vectors, and what is left of a map behind them moves bytes.
  if (!reader || (options.bytes_in_vectors && spreads(*reader, producer))) return;
  std::optional<Kernel> all = with_rows(producer, *reader, block, options);
  if (!all) return;
  merge_origins(*all, producer, true);
  block.erase(at);
  block.replace(reader_at, std::move(*all));
}

namespace {

// A kernel takes in the one that makes a factor of it, where `fuse_one` can.
template <class FuseOne>
void take_in(BlockSteps& block, int at, const FuseOptions& options, const FuseOne& fuse_one) {
  const Kernel& product = *block.kernel(at);
  if (product.lets.empty() || is_too_large(product, options) ||
      multiplies_bf16(product, block.values(), options))
    return;
  for (const ValueId id : reads_of(product)) {
    const int maker = block.only_maker(id);
    if (maker < 0) continue;
    std::optional<Kernel> all = fuse_one(*block.kernel(maker), product);
    if (!all || tree_size(*all) > options.most_nodes) continue;
    merge_origins(*all, *block.kernel(maker), true);
    block.erase(maker);
    block.replace(at, std::move(*all));
    return;
  }
}

// The same at a sum of products alone.
template <class FuseOne>
void take_in_factor(BlockSteps& block, int at, const FuseOptions& options,
                    const FuseOne& fuse_one) {
  if (is_only_products(*block.kernel(at))) take_in(block, at, options, fuse_one);
}

}  // namespace

void fuse_back_to_back(BlockSteps& block, int at, const FuseOptions& options) {
  take_in(block, at, options, [&](const Kernel& producer, const Kernel& reader) {
    return fused_back_to_back(producer, reader, block.values(), options.between);
  });
}

void fuse_factor(BlockSteps& block, int at, const FuseOptions& options) {
  take_in_factor(block, at, options, [&](const Kernel& producer, const Kernel& product) {
    return fused_factor(producer, product, block.values());
  });
}

namespace {

// The kernel with the write of `result` first, and once more where the result is to stay.
Kernel with_result_first(Kernel kernel, ValueId result, bool stays) {
  const auto at = std::find_if(kernel.writes.begin(), kernel.writes.end(),
                               [&](const Write& write) { return write.to == result; });
  const Write first = *at;
  if (!stays) kernel.writes.erase(at);
  kernel.writes.insert(kernel.writes.begin(), first);
  return kernel;
}

// The only kernel that writes a value, whoever reads it; -1: there is none.
int only_writer(BlockSteps& block, ValueId id) {
  const std::set<int>& writers = block.writers(id);
  if (writers.size() != 1 || block.value(id).kind == ValueKind::input) return -1;
  const Kernel* one = block.kernel(*writers.begin());
  return one && block.reads_are_stable(*one) ? *writers.begin() : -1;
}

// Where a producer and a reader of it can run as one: at the reader's place, where nobody wants
// what the producer makes before, or else at the producer's; -1: at neither.
int place_of_both(BlockSteps& block, int producer_at, int reader_at) {
  const std::vector<ValueId> made = writes_of(*block.kernel(producer_at));
  const bool early = std::any_of(made.begin(), made.end(), [&](ValueId id) {
    const std::set<int>& readers = block.readers(id);
    return !block.is_private(id) || (!readers.empty() && *readers.begin() < reader_at);
  });
  if (!early) return reader_at;
  return block.may_run_at(producer_at + 1, reader_at) ? producer_at : -1;
}

}  // namespace

void fuse_row_epilogue(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel& reader = *block.kernel(at);
  if (reader.lets.empty() || is_too_large(reader, options)) return;
  for (const ValueId id : reads_of(reader)) {
    const int maker = only_writer(block, id);
    if (maker < 0 || maker >= at) continue;
    const bool stays = !block.is_private(id) || block.readers(id).size() > 1;
    const Kernel producer = *block.kernel(maker);
    const std::vector<ValueId> writes = writes_of(producer);
    if (writes.size() != producer.writes.size() ||
        multiplies_bf16(producer, block.values(), options))
      continue;
    std::optional<Kernel> all =
        fused_row_epilogue(with_result_first(producer, id, stays), reader, block.values(),
                           {options.row_epilogue_bytes, options.row_epilogue_rows});
    if (!all || tree_size(*all) > options.most_nodes) continue;
    const int place = place_of_both(block, maker, at);
    if (place < 0) continue;
    merge_origins(*all, producer, true);
    block.erase(place == at ? maker : at);
    block.replace(place, std::move(*all));
    return;
  }
}

void fuse_chain(BlockSteps& block, int at, const FuseOptions& options) {
  take_in_factor(block, at, options, [&](const Kernel& producer, const Kernel& product) {
    return fused_chain(producer, product, block.values(), options.small_operations,
                       options.multiply_adds_per_byte);
  });
}

bool is_end_of_rows(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel& reader = *block.kernel(at);
  const std::vector<ValueId> reads = reads_of(reader);
  return std::any_of(reads.begin(), reads.end(), [&](ValueId id) {
    const int maker = block.only_maker(id);
    return maker >= 0 && with_rows(*block.kernel(maker), reader, block, options).has_value();
  });
}

}  // namespace burin
