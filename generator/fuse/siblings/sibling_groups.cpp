#include "fuse/siblings/sibling_groups.h"

#include <algorithm>
#include <map>
#include <set>

#include "fuse/movement/concat_rewrites.h"
#include "fuse/siblings/siblings.h"
#include "kernel/rewrite_kernel.h"

namespace burin {
namespace {

constexpr int64_t kSmallConstant = 65536;  // bytes that may be there twice
constexpr size_t kMostMembers = 64;        // every new one is compared with all of them

// The constants that a kernel reads are its own, or small: fused, they are there once more.
bool owns_constants(BlockSteps& block, const Kernel& kernel) {
  const std::vector<ValueId> reads = reads_of(kernel);
  return std::all_of(reads.begin(), reads.end(), [&](ValueId id) {
    const Value& value = block.value(id);
    return value.kind != ValueKind::constant || block.readers(id).size() == 1 ||
           static_cast<int64_t>(value.constant.bytes) <= kSmallConstant;
  });
}

// What reads a value are kernels, which may load it from elsewhere; each of them asks.
bool only_kernels_read(BlockSteps& block, ValueId id) {
  constexpr size_t kMostReaders = 64;
  const std::set<int>& readers = block.readers(id);
  return readers.size() <= kMostReaders && std::all_of(readers.begin(), readers.end(), [&](int at) {
           return block.kernel(at) != nullptr;
         });
}

// Loads of the parts become loads of `whole`, further along its dimension.
void redirect(Kernel& reader, const std::map<ValueId, Dim>& first, const Siblings& siblings) {
  const auto on_expr = [&](const Expr& one) -> Expr {
    if (one.kind() != ExprKind::load) return one;
    const auto part = first.find(one->id);
    if (part == first.end()) return one;
    std::vector<Index> at = one->at;
    at[siblings.dimension] += part->second;
    return Expr::load(siblings.whole, one->storage, std::move(at));
  };
  rewrite_exprs(reader, on_expr);
}

// Where the results of a kernel are read first.
int first_reader(BlockSteps& block, int at) {
  return *block.readers(block.kernel(at)->writes[0].to).begin();
}

// The members become one kernel at the place of one of them.
void fuse_group(BlockSteps& block, const std::vector<int>& group, int place_of_all) {
  if (group.size() < 2) return;
  std::vector<const Kernel*> members;
  std::map<int, Kernel> readers;
  for (const int member : group) {
    members.push_back(block.kernel(member));
    for (const int place : block.readers(members.back()->writes[0].to))
      readers.emplace(place, *block.kernel(place));
  }
  std::optional<Siblings> found = fused_siblings(members, block.values());
  if (!found) return;
  std::map<ValueId, Dim> first;
  for (size_t i = 0; i < group.size(); ++i) {
    first.emplace(members[i]->writes[0].to, found->first[i]);
    if (i > 0) merge_origins(found->kernel, *members[i], false);
  }
  for (auto& [place, reader] : readers) redirect(reader, first, *found);
  for (const int one : group) {
    if (one != place_of_all) block.erase(one);
  }
  block.replace(place_of_all, std::move(found->kernel));
  for (auto& [place, reader] : readers) block.replace(place, std::move(reader));
}

// Fused, all members run where the last one did: what they read is there by then, and nobody may
// want their results before.
void fuse_at_last(BlockSteps& block, std::vector<int> group) {
  const int last = *std::max_element(group.begin(), group.end());
  std::erase_if(group, [&](int member) { return first_reader(block, member) < last; });
  fuse_group(block, group, last);
}

// Of a kernel's result, for the sizes to optimise for.
int64_t result_bytes(BlockSteps& block, int at) {
  const Value& result = block.value(block.kernel(at)->writes[0].to);
  return at_hints(product(result.shape) * size_bits(result.type)) / 8;
}

}  // namespace

bool has_sibling(BlockSteps& block, int at) {
  if (!may_have_siblings(*block.kernel(at), block.values())) return false;
  const auto only_sum = [&](int place) {
    Kernel kernel = *block.kernel(place);
    kernel.writes[0].value = Expr::boolean(false);
    return kernel;
  };
  const Kernel one = only_sum(at);
  for (const ValueId id : reads_of(one)) {
    if (block.value(id).kind == ValueKind::constant) continue;
    for (const int reader : block.readers(id)) {
      if (reader == at || !block.kernel(reader) ||
          !may_have_siblings(*block.kernel(reader), block.values()))
        continue;
      const Kernel other = only_sum(reader);
      if (are_siblings({&one, &other}, block.values())) return true;
    }
  }
  return false;
}

void fuse_siblings(BlockSteps& block, int at) {
  std::vector<int> candidates;
  for (const ValueId id : reads_of(*block.kernel(at))) {
    const int maker = block.maker(id);
    if (maker < 0 || !only_kernels_read(block, id)) continue;
    const Kernel& one = *block.kernel(maker);
    if (may_have_siblings(one, block.values()) && owns_constants(block, one))
      candidates.push_back(maker);
  }
  // The largest group that each candidate begins, within reason. Groups of two or more are fused.
  while (candidates.size() >= 2) {
    std::vector<int> group{candidates[0]}, rest;
    std::vector<const Kernel*> members{block.kernel(candidates[0])};
    for (size_t i = 1; i < candidates.size(); ++i) {
      members.push_back(block.kernel(candidates[i]));
      if (members.size() <= kMostMembers && are_siblings(members, block.values())) {
        group.push_back(candidates[i]);
      } else {
        members.pop_back();
        rest.push_back(candidates[i]);
      }
    }
    fuse_at_last(block, std::move(group));
    candidates = std::move(rest);
  }
}

void fuse_siblings_of_input(BlockSteps& block, int at, const FuseOptions& options) {
  const auto may_fuse = [&](int member) {
    const Kernel& one = *block.kernel(member);
    if (!may_have_siblings(one, block.values()) || !owns_constants(block, one)) return false;
    const ValueId result = one.writes[0].to;
    // What becomes a part of something else is made there, where it can be.
    const std::set<int>& readers = block.readers(result);
    return block.is_private(result) && !readers.empty() && only_kernels_read(block, result) &&
           std::none_of(readers.begin(), readers.end(),
                        [&](int reader) { return writes_part_in_place(block, reader, result); });
  };
  if (!may_fuse(at)) return;
  std::set<int> others;
  for (const ValueId id : reads_of(*block.kernel(at))) {
    if (block.value(id).kind != ValueKind::constant)
      others.insert(block.readers(id).begin(), block.readers(id).end());
  }
  std::erase_if(others,
                [&](int other) { return other == at || !block.kernel(other) || !may_fuse(other); });
  std::vector<int> group{at};
  std::vector<const Kernel*> members{block.kernel(at)};
  int64_t bytes = result_bytes(block, at);
  for (const int other : others) {
    members.push_back(block.kernel(other));
    const bool joins_them = members.size() <= kMostMembers &&
                            (other < at || block.may_run_at(at, other)) &&
                            are_siblings(members, block.values());
    if (joins_them && other < at) return;  // all or none: the first of them has asked
    if (joins_them) {
      group.push_back(other);
      bytes += result_bytes(block, other);
    } else {
      members.pop_back();
    }
  }
  if (bytes <= options.working_set_bytes) fuse_group(block, group, at);
}

}  // namespace burin
