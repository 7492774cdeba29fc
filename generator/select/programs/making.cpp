#include "select/programs/making.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kernel/combiner.h"
#include "loops/idle.h"
#include "support/at.h"
#include "support/check.h"

namespace burin {

using loops::Buffer;
using loops::BufferId;
using loops::Scope;
using loops::Stmts;

Making::Making(const LoopPlan& schedule, const std::vector<Value>& values, const ImageMaps& images)
    : schedule_(schedule), buffers_(schedule.kernel, values, program_, images) {
  program_.scratch_bytes = schedule.scratch_bytes;
  buffers_.set_lets([this](int let, int component, const std::vector<Index>& at) {
    return element_of(let, component, at);
  });
  variables_.resize(kernel().lets.size());
  arrays_.resize(kernel().lets.size());
  for (size_t number = 0; number < kernel().lets.size(); ++number)
    add_arrays(static_cast<int>(number));
  if (!schedule.cut) return;
  for (const CutAxis& axis : schedule.cut->axes()) {
    const std::string across = parts_.empty() ? "" : "across_";
    const int first = variable(across + "first", axis.extent + 1);
    parts_.push_back({axis, first, variable(across + "last", axis.extent + 1)});
  }
  buffers_.set_symbol(cut_first()->name, program_.var(parts_[0].first));
  buffers_.set_symbol(cut_last()->name, program_.var(parts_[0].last));
}

void Making::add_arrays(int number) {
  const LetPlace& where = place(number);
  const Let& one = let(number);
  if (where.scalar) return;
  for (size_t c = 0; c < where.offset.size(); ++c) {
    std::vector<Dim> shape;
    for (const int axis : one.over) {
      const bool sequential = kernel().axes[burin::at(axis)].kind == AxisKind::sequential;
      if (sequential && where.sequential_rows) {
        shape.emplace_back(where.sequential_rows);
      } else if (std::find(where.axes.begin(), where.axes.end(), axis) != where.axes.end()) {
        const bool points = schedule_.outer_axis && axis == schedule_.outer_axis->axis;
        const bool rows = waits_for_rows(number) && axis == schedule_.contraction->m;
        Dim kept = points ? schedule_.outer_axis->points_kept(kernel()) : extent(axis);
        if (rows && schedule_.contraction->block_rows > 0)
          kept = min(kept, schedule_.contraction->block_rows);
        shape.push_back(kept);
      }
    }
    // [blocks][second][rows]
    if (where.panel_rows > 0)
      shape = {ceildiv(shape[0], where.panel_rows), shape[1], where.panel_rows};
    arrays_[burin::at(number)].push_back(
        buffer(Scope::scratch, loops::let_name(one, number, static_cast<int>(c)) + "_rows",
               one.accumulator[c], std::move(shape), where.offset[c]));
  }
}

const RowEpilogue* Making::row_epilogue() const {
  const bool has = schedule_.contraction && schedule_.last_product().row_epilogue;
  return has ? &*schedule_.last_product().row_epilogue : nullptr;
}

// Of the value that is normalised, and of the intermediate rows of two products.
bool Making::waits_for_rows(int number) const {
  const RowEpilogue* epilogue = row_epilogue();
  if (epilogue && number == epilogue->value) return true;
  return schedule_.second && number == schedule_.contraction->row_epilogue->value;
}

Index Making::begin_of(int axis) const {
  for (const Part& part : parts_) {
    if (part.cut.axis == axis) return program_.var(part.first);
  }
  return 0;
}
Index Making::end_of(int axis) const {
  for (const Part& part : parts_) {
    if (part.cut.axis == axis) return program_.var(part.last);
  }
  return extent(axis);
}

Expr Making::element(BufferId buffer, Type type, std::vector<Index> at) const {
  return program_.element(buffer, type, std::move(at));
}

Expr Making::element_of(int number, int component, const std::vector<Index>& at) {
  if (const auto other = others_.find(number); other != others_.end())
    return other->second(number, component, at);
  const Type type = let(number).accumulator[burin::at(component)];
  const RowEpilogue* epilogue = row_epilogue();
  if (epilogue && number == epilogue->value && epilogue->write >= 0) {
    // It is read where a write stores it.
    const Write& write = kernel().writes[burin::at(epilogue->write)];
    std::vector<Index> axes;
    for (size_t axis = 0; axis < kernel().axes.size(); ++axis)
      axes.push_back(program_.var(static_cast<int>(axis)));
    for (size_t k = 0; k < write.over.size(); ++k) axes[burin::at(write.over[k])] = at[k];
    std::vector<Index> stored;
    for (const Index& index : write.at)
      stored.push_back(buffers_.index(index).substitute_axes(axes));
    return element(buffers_.buffer_of(write.to), type, std::move(stored));
  }
  if (place(number).scalar) return element(variables(number)[burin::at(component)], type, {});
  return element(array(number, component), type, array_point(number, at));
}

const std::vector<BufferId>& Making::variables(int number) {
  std::vector<BufferId>& own = variables_[burin::at(number)];
  if (!own.empty()) return own;
  const Let& one = let(number);
  for (size_t c = 0; c < one.body.size(); ++c)
    own.push_back(buffer(Scope::local, loops::let_name(one, number, static_cast<int>(c)),
                         one.accumulator[c], {}));
  if (is_keyed(one.op))
    own.push_back(buffer(Scope::local, "taken" + std::to_string(number), Type::boolean, {}));
  return own;
}

BufferId Making::array(int number, int component) const {
  const std::vector<BufferId>& own = arrays_[burin::at(number)];
  BURIN_CHECK(burin::at(component) < own.size(), "a let without an array");
  return own[burin::at(component)];
}

std::vector<Index> Making::array_point(int number, const std::vector<Index>& point) const {
  const Let& one = let(number);
  const LetPlace& where = place(number);
  std::vector<Index> out;
  for (size_t k = 0; k < one.over.size(); ++k) {
    const int axis = one.over[k];
    if (kernel().axes[burin::at(axis)].kind == AxisKind::sequential && where.sequential_rows) {
      out.push_back(mod(point[k], where.sequential_rows));
    } else if (std::find(where.axes.begin(), where.axes.end(), axis) != where.axes.end()) {
      const bool points = schedule_.outer_axis && axis == schedule_.outer_axis->axis;
      const bool rows = waits_for_rows(number) && axis == schedule_.contraction->m;
      out.push_back(points ? schedule_.outer_axis->in_block(point[k], kernel())
                           : point[k] - (rows ? first_row_ : Index(0)));
    }
  }
  if (where.panel_rows > 0)
    out = {floordiv(out[0], where.panel_rows), out[1], mod(out[0], where.panel_rows)};
  return out;
}

std::vector<Index> Making::own_point(int number) const {
  std::vector<Index> out;
  for (const int axis : let(number).over) out.push_back(program_.var(axis));
  return out;
}

std::string Making::free_name(const std::string& name) {
  const int used = taken_[name]++;
  return used == 0 ? name : name + "_" + std::to_string(used + 1);
}

int Making::variable(const std::string& name, const Dim& extent) {
  return program_.add(loops::Var{free_name(name), extent});
}

int Making::shared_variable(const std::string& name, const Dim& extent) {
  const auto known = shared_.find({name, extent});
  if (known != shared_.end()) return known->second;
  return shared_[{name, extent}] = variable(name, extent);
}

void Making::forget(BufferId buffer, const std::string& name) {
  BURIN_CHECK(burin::at(buffer) + 1 == program_.buffers.size(), "a buffer in use");
  program_.buffers.pop_back();
  --taken_[name];
}

BufferId Making::group_array(const std::string& name, Type type, const std::vector<Dim>& shape) {
  const auto known = group_arrays_.find({name, shape});
  if (known != group_arrays_.end()) return known->second;
  return group_arrays_[{name, shape}] = buffer(Scope::group, name, type, shape);
}

std::vector<BufferId> Making::take_group_arrays() {
  std::vector<BufferId> out;
  for (const auto& [key, array] : std::exchange(group_arrays_, {})) out.push_back(array);
  return out;
}

BufferId Making::shared_array(const std::string& name, const std::vector<Dim>& shape) {
  const auto known = shared_arrays_.find({name, shape});
  if (known != shared_arrays_.end()) return known->second;
  return shared_arrays_[{name, shape}] = buffer(Scope::stack, name, Type::f32, shape);
}

int Making::named_variable(const std::string& name, const Dim& extent) {
  const int out = variable(name, extent);
  buffers_.set_symbol(name, program_.var(out));
  return out;
}

BufferId Making::buffer(Scope scope, const std::string& name, Type type, std::vector<Dim> shape,
                        const Dim& offset) {
  Buffer out;
  out.name = free_name(name);
  out.type = type;
  out.shape = std::move(shape);
  out.scope = scope;
  out.offset = offset;
  return program_.add(std::move(out));
}

loops::Program Making::finish(Stmts body) {
  if (!parts_.empty()) {
    // Every call has scratch of its own.
    Stmts chunk;
    const std::set<BufferId> own = loops::allocated_in(body);  // of blocks
    for (size_t b = 0; b < program_.buffers.size(); ++b) {
      const auto id = static_cast<BufferId>(b);
      if (program_.buffers[b].scope == Scope::scratch && !own.contains(id))
        chunk.push_back({loops::Alloc{id}});
    }
    append(chunk, std::move(body));
    body = std::move(chunk);
  }
  for (size_t k = parts_.size(); k-- > 0;) {
    const auto& [axis, first, last] = parts_[k];
    Stmts part{{loops::Let{last, min(program_.var(first) + axis.grain, axis.extent)}}};
    append(part, std::move(body));
    body = {loops::Stmt{
        loops::For{first, 0, axis.extent, axis.grain, loops::Kind::thread, std::move(part), last}}};
  }
  program_.body = loops::without_idle_lets(body);
  return std::move(program_);
}

loops::Stmt loop(int var, const Index& begin, const Index& end, Stmts body, loops::Kind kind) {
  return {loops::For{var, begin, end, 1, kind, std::move(body)}};
}

Stmts around(const Making& making, const std::vector<int>& axes, Stmts body) {
  for (size_t k = axes.size(); k-- > 0;)
    body = {loop(axes[k], making.begin_of(axes[k]), making.end_of(axes[k]), std::move(body))};
  return body;
}

loops::Stmt store(BufferId to, std::vector<Index> at, Expr value, Combiner combine) {
  return {loops::Store{{to}, std::move(at), {std::move(value)}, combine}};
}

}  // namespace burin
