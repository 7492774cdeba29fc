#include "select/programs/alike.h"

#include <algorithm>
#include <utility>

#include "loops/walk.h"

namespace burin {
namespace {

// Values in the order in which arguments name them; the program then names places of this list.
std::vector<ValueId> take_values(loops::Program& program) {
  std::vector<ValueId> values;
  for (loops::Buffer& buffer : program.buffers) {
    if (buffer.value == kNoValue) continue;
    const auto at = std::find(values.begin(), values.end(), buffer.value);
    const auto place = static_cast<ValueId>(at - values.begin());
    if (at == values.end()) values.push_back(buffer.value);
    buffer.value = place;
  }
  return values;
}

void give_values(loops::Program& program, const std::vector<ValueId>& values) {
  for (loops::Buffer& buffer : program.buffers) {
    if (buffer.value != kNoValue) buffer.value = values[static_cast<size_t>(buffer.value)];
  }
}

// Of what statements say; what it leaves out is compared.
size_t hash_of(const loops::Program& program) {
  size_t hash = program.buffers.size();
  const auto add = [&](size_t part) { hash = hash * 31 + part; };
  loops::for_each(program.body, [&](const loops::Stmt& stmt) {
    add(stmt.node.index());
    loops::for_each_index(stmt, [&](const Index& index) { add(index.hash()); });
    loops::for_each_expr(stmt, [&](const Expr& expr) { add(expr->hash); });
  });
  return hash;
}

}  // namespace

loops::Program AlikePrograms::of(loops::Program program) {
  const std::string name = std::exchange(program.name, {});
  const std::vector<ValueId> values = take_values(program);
  std::vector<Pair>& same_hash = known_[hash_of(program)];
  auto at = std::find_if(same_hash.begin(), same_hash.end(),
                         [&](const Pair& pair) { return pair.given == program; });
  if (at == same_hash.end()) {
    ++made_;
    loops::Program made = transform_(program);
    at = same_hash.insert(at, {std::move(program), std::move(made)});
  }
  loops::Program out = at->made;
  out.name = name;
  give_values(out, values);
  return out;
}

}  // namespace burin
