#include "kernel/further_writes.h"

#include <set>

#include "support/check.h"

namespace burin {
namespace {

Write moved(Write write, const std::vector<Index>& axes, const std::vector<int>& numbers) {
  for (int& axis : write.over) axis = numbers[static_cast<size_t>(axis)];
  for (Index& index : write.at) index = index.substitute_axes(axes);
  write.value = substitute_axes(write.value, axes);
  write.when = substitute_axes(write.when, axes);
  return write;
}

// Adds the axes that `used` names; the others are not.
std::vector<Write> add_axes(const Kernel& from, const std::vector<Write>& writes,
                            const std::set<int>& used, Kernel& to) {
  std::vector<Index> axes(from.axes.size(), Index(0));
  std::vector<int> numbers(from.axes.size(), -1);
  for (const int axis : used) {
    const auto at = static_cast<size_t>(axis);
    numbers[at] = static_cast<int>(to.axes.size());
    axes[at] = Index::axis(numbers[at], from.axes[at].extent);
    to.axes.push_back(from.axes[at]);
  }
  std::vector<Write> out;
  for (const Write& write : writes) out.push_back(moved(write, axes, numbers));
  return out;
}

std::set<int> axes_of_writes(const std::vector<Write>& writes) {
  std::set<int> used;
  for (const Write& write : writes) used.insert(write.over.begin(), write.over.end());
  return used;
}

}  // namespace

Kernel only_writes(const Kernel& kernel, const std::vector<Write>& writes) {
  Kernel out;
  out.name = kernel.name;
  out.origins = kernel.origins;
  out.writes = add_axes(kernel, writes, axes_of_writes(writes), out);
  return out;
}

void append_writes(Kernel& into, const Kernel& from) {
  BURIN_CHECK(from.lets.empty(), "what is appended has lets");
  const std::vector<Write> more = add_axes(from, from.writes, axes_of_writes(from.writes), into);
  into.writes.insert(into.writes.end(), more.begin(), more.end());
}

}  // namespace burin
