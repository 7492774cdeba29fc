#include "fuse/movement/fuse_copies.h"

#include <algorithm>

#include "fuse/access/access.h"
#include "kernel/further_writes.h"

namespace burin {
namespace {

// What lies outside of the memory that tensors share: no view of it can be a part of another one.
bool copies_from_outside(const Expr& value, const BlockSteps& block) {
  bool outside = true;
  visit(value, [&](const ExprNode& node) {
    if (node.kind != ExprKind::load) return;
    const ValueKind kind = block.value(node.id).kind;
    outside = outside && (kind == ValueKind::constant || kind == ValueKind::input);
  });
  return outside;
}

// In some dimension their indices never meet, whatever the points of both.
bool are_apart(const Write& one, const Write& other) {
  for (size_t d = 0; d < one.at.size(); ++d) {
    const Index &a = one.at[d], &b = other.at[d];
    if (a.has_data() || b.has_data()) continue;
    if (proven_lt(a, b) || proven_lt(b, a)) return true;
  }
  return false;
}

// Whether the last write of a kernel stores elements that no other write of it touches, and nothing
// of what the kernel makes is read by it.
bool last_is_apart(const Kernel& kernel) {
  const Write& last = kernel.writes.back();
  const std::vector<ValueId> reads = reads_of(kernel);
  return std::all_of(kernel.writes.begin(), kernel.writes.end() - 1, [&](const Write& write) {
    return std::find(reads.begin(), reads.end(), write.to) == reads.end() &&
           (write.to != last.to || (write.how == How::store && are_apart(write, last)));
  });
}

// Threads that share a kernel without points share no fused copy, either.
bool has_points(const Kernel& kernel) {
  return std::all_of(kernel.axes.begin(), kernel.axes.end(),
                     [](const Axis& axis) { return proven_lt(0, axis.extent); });
}

// Whether only this block touches a tensor: what runs behind all of its steps may read it.
bool is_of_block(const BlockSteps& block, ValueId id) {
  Let read;
  read.body = {Expr::load(id, block.value(id).type,
                          std::vector<Index>(block.value(id).shape.size(), Index(0)))};
  Kernel reader;
  reader.lets = {std::move(read)};
  return block.value(id).kind == ValueKind::internal &&
         block.reads_are_stable_from(static_cast<int>(block.size()), reader);
}

// Products of integers are programs where the hardware has instructions for them: they have no
// loops behind their own.
bool takes_copies(const Kernel& kernel, const FuseOptions& options) {
  return !options.integer_products ||
         std::none_of(kernel.lets.begin(), kernel.lets.end(), [](const Let& let) {
           return let.op == Combiner::sum && let.accumulator[0] == Type::i32;
         });
}

// The place of a kernel that `copy`, the write of the kernel at `at` alone, may join; -1: none.
int host_of(BlockSteps& block, int at, const Kernel& copy, const FuseOptions& options) {
  const Write& write = copy.writes[0];
  const ValueId to = write.to;
  const ExprKind kind = write.value.kind();
  if ((kind != ExprKind::load && kind != ExprKind::constant) || write.over.empty() ||
      write.how != How::store || !write.when.empty() || !is_of_block(block, to) ||
      !copies_from_outside(write.value, block))
    return -1;
  const std::set<int>& readers = block.readers(to);
  if (!readers.empty() && *readers.begin() < at) return -1;
  int host = -1;
  for (const int place : block.writers(to)) {
    if (place == at) continue;
    const Kernel* one = block.kernel(place);
    if (!one) return -1;
    Kernel both = *one;
    append_writes(both, copy);
    if (!last_is_apart(both)) return -1;
    if (place < at && !only_moves(*one) && has_points(*one) && takes_copies(*one, options) &&
        block.may_run_at(place, at))
      host = place;
  }
  return host;
}

}  // namespace

void fuse_copies(BlockSteps& block, int at, const FuseOptions& options) {
  const Kernel copy = *block.kernel(at);
  if (!only_moves(copy)) return;
  std::vector<Write> left;
  for (const Write& write : copy.writes) {
    const Kernel one = only_writes(copy, {write});
    const int host = host_of(block, at, one, options);
    if (host < 0) {
      left.push_back(write);
      continue;
    }
    Kernel both = *block.kernel(host);
    append_writes(both, one);
    merge_origins(both, copy, false);
    block.replace(host, std::move(both));
  }
  if (left.size() == copy.writes.size()) return;
  left.empty() ? block.erase(at) : block.replace(at, only_writes(copy, left));
}

}  // namespace burin
