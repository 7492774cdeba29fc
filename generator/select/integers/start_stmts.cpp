// Products of several rows at a time, where their sums begin, copies of planes for them; sums of
// lanes of b.
#include "isa/all_rows.h"
#include "isa/move_rows.h"
#include "select/integers/bundle_choice.h"
#include "select/integers/stmts.h"

namespace burin {

IntegerStmts::Stmts IntegerStmts::products_of_group(
    int rows, const std::function<Region(const Index& row)>& a, const VectorOfB& b) {
  if (!plan_.bundle || rows == 1) {
    return each_place(rows, [&](const Index& row, const Index& vector) {
      return Stmt{call(plan_.dot, {sums_of_tile(sums_, row, vector), a(row), b(vector)})};
    });
  }
  const bool anywhere =
      plan_.bundle.whole == nullptr || (plan_.window && plan_.window->multiple == 1);
  return each_bundle(rows, [&](const Index& first, const Index& vector) {
    std::vector<Region> operands;
    for (int row = 0; row < plan_.bundle.rows; ++row)
      operands.push_back(sums_of_tile(sums_, first + row, vector));
    operands.push_back(a(first));
    Region& groups = operands.back();
    groups.extent[groups.extent.size() - 2] = plan_.bundle.rows;
    operands.push_back(b(vector));
    return Stmts{Stmt{call(anywhere ? plan_.bundle.row : plan_.bundle.whole, std::move(operands))}};
  });
}

IntegerStmts::Stmts IntegerStmts::each_bundle(
    int rows, const std::function<Stmts(const Index& first, const Index& vector)>& one) {
  const Index first = rows > plan_.bundle.rows ? var(bundle_) * plan_.bundle.rows : Index(0);
  Stmts body = one(first, vector_in_tile());
  if (plan_.vectors > 1) body = {loop(vector_, 0, plan_.vectors, std::move(body), Kind::unrolled)};
  if (rows > plan_.bundle.rows)
    body = {loop(bundle_, 0, rows / plan_.bundle.rows, std::move(body), Kind::unrolled)};
  return body;
}

IntegerStmts::Stmts IntegerStmts::settled(int rows, const char* name) {
  if (plan_.bundle.settles == nullptr || rows == 1) return {};
  const BufferId blocks = sums_;
  sums_ = buffer(Scope::registers, name, plan_.sum(), {rows, plan_.vectors, plan_.lanes});
  Stmts out{Stmt{loops::Alloc{sums_}}};
  append(out, each_bundle(rows, [&](const Index& first, const Index& vector) {
           std::vector<Region> operands;
           for (const BufferId of : {sums_, blocks}) {
             for (int row = 0; row < plan_.bundle.rows; ++row)
               operands.push_back(sums_of_tile(of, first + row, vector));
           }
           return Stmts{Stmt{call(plan_.bundle.settles, std::move(operands))}};
         }));
  return out;
}

void IntegerStmts::make_room_for_starts(Scope scope, const Dim& columns) {
  if (plan_.bundle.starts != nullptr && starts_ < 0)
    starts_ = buffer(scope, "starts", Type::i32, {1, columns});
}

IntegerStmts::Region IntegerStmts::start(const Index& vector) const {
  return {starts_, {0, first_start_ + vector * plan_.lanes}, {1, plan_.lanes}};
}

IntegerStmts::Stmts IntegerStmts::starts_of(const VectorOfB& b, const Index& column) {
  if (plan_.bundle.starts == nullptr) return {};
  first_start_ = column;
  const Region group{buffers_.buffer_of(plan_.start_group), {0}, {plan_.group}};
  const BufferId sums =
      buffer(Scope::registers, "first_sums", Type::i32, {1, plan_.vectors, plan_.lanes});
  Stmts out{Stmt{loops::Alloc{sums}}};
  append(out, each_place(1, [&](const Index& row, const Index& vector) {
           return Stmt{call(plan_.zero, {sums_of_tile(sums, row, vector)})};
         }));
  append(
      out, over_depth(each_place(1, [&](const Index& row, const Index& vector) {
        return Stmt{call(plan_.bundle.starts, {sums_of_tile(sums, row, vector), group, b(vector)})};
      })));
  append(out, each_place(1, [&](const Index& row, const Index& vector) {
           return Stmt{call(plan_.store, {start(vector), sums_of_tile(sums, row, vector)})};
         }));
  return out;
}

int64_t IntegerStmts::copies() const {
  return plan_.window->multiple == 1 ? 1 : copies_of(*plan_.window);
}

IntegerStmts::Stmts IntegerStmts::copied_plane(BufferId staged) {
  Stmts out;
  const Dim plane = plan_.window->staged_elements();
  const isa::Instruction* row = isa::find_row(isa::copy_name(plan_.b.type));
  for (int64_t copy = 1; copy < copies(); ++copy) {
    const Dim bytes = (plane - copy) * plan_.group;
    out.push_back({Call{row,
                        {Region{staged, {plane * copy, 0}, {1, bytes}},
                         Region{staged, {Index(copy), 0}, {1, bytes}}},
                        {bytes}}});
  }
  return out;
}

void IntegerStmts::make_room_for_sums_of_b() {
  if (plan_.b.sums >= 0 && column_sums_ < 0)
    column_sums_ = buffer(Scope::stack, "b_sums", Type::i32, {1, plan_.tile_columns()});
}

IntegerStmts::Stmts IntegerStmts::sums_of_b(const VectorOfB& b) {
  if (plan_.b.sums < 0) return {};
  make_room_for_sums_of_b();
  const Region ones{buffers_.buffer_of(plan_.ones), {0}, {plan_.group}};
  Stmts out = products(
      1, "ones_sums", [&](const Index&) { return ones; }, b);
  append(out, spilled(1, column_sums_));
  return out;
}

}  // namespace burin
