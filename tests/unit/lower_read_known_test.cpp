// What a reader of a partly known tensor becomes: numbers, sizes of the caller, or a load as
// before.
#include <gtest/gtest.h>

#include "lower/read_known.h"

namespace burin::lower_read_known_test {
namespace {

Dim size_named(const std::string& name, SymbolOrigin origin) {
  return Index::symbol(
      std::make_shared<const SymbolInfo>(SymbolInfo{name, origin, 1, kUnbounded, 0}));
}

Value value_of(Type type, std::vector<Dim> shape) {
  Value value;
  value.type = type;
  value.shape = std::move(shape);
  return value;
}

// Four elements: a number, a size of the caller, one of the run, and one that is not known.
class ReadKnown : public testing::Test {
 protected:
  const Dim n_ = size_named("n", SymbolOrigin::param), r_ = size_named("r", SymbolOrigin::run);
  std::vector<Value> values_ = {value_of(Type::i64, {4}), value_of(Type::f32, {2}),
                                value_of(Type::i32, {2, 2}), value_of(Type::f32, {9})};
  std::map<ValueId, SymbolicElements> known_ = {
      {0, {SymbolicElement{8}, SymbolicElement{n_ * 2}, SymbolicElement{r_}, std::nullopt}},
      {1, {SymbolicElement{0, 1, false, 2.5}, SymbolicElement{n_, 2}}},
      {2, {SymbolicElement{1}, SymbolicElement{2}, SymbolicElement{3}, SymbolicElement{n_}}},
  };

  // A map of 4 points that stores this.
  Expr read(const Expr& value) {
    Kernel kernel;
    kernel.axes.push_back({4, AxisKind::parallel, {}});
    Write write;
    write.to = 3;
    write.at = {Index::axis(0, 4)};
    write.over = {0};
    write.value = value;
    kernel.writes.push_back(write);
    Steps steps = {kernel};
    read_known(steps, values_, known_);
    return std::get<Kernel>(steps[0]).writes[0].value;
  }
};

TEST_F(ReadKnown, NumbersFoldThroughArithmetic) {
  const Expr eight = Expr::load(0, Type::i64, {0});
  EXPECT_EQ(read(eight), Expr::constant(Type::i64, 8));
  EXPECT_EQ(read(Expr::cast(Type::f32, eight) * 0.5), Expr::constant(Type::f32, 4.0));
  EXPECT_EQ(read(Expr::load(1, Type::f32, {0})), Expr::constant(Type::f32, 2.5));
  EXPECT_EQ(read(Expr::load(2, Type::i32, {1, 0})), Expr::constant(Type::i32, 3));
}

TEST_F(ReadKnown, SizesOfTheCallerAreRead) {
  EXPECT_EQ(read(Expr::load(0, Type::i64, {1})), Expr::index(n_ * 2));
  EXPECT_EQ(read(Expr::load(2, Type::i32, {1, 1})), Expr::cast(Type::i32, Expr::index(n_)));
}

// Also where an element decides what is read.
TEST_F(ReadKnown, ElementsInsideIndicesAreIndices) {
  const Expr at = Expr::load(0, Type::i64, {1});
  const Expr load = Expr::load(3, Type::f32, {Index::data(at.ptr(), {0, 8}) + 1});
  EXPECT_EQ(read(load), Expr::load(3, Type::f32, {n_ * 2 + 1}));
}

TEST_F(ReadKnown, WhatIsNotKnownStays) {
  for (const Expr& load : {Expr::load(0, Type::i64, {2}), Expr::load(0, Type::i64, {3}),
                           Expr::load(0, Type::i64, {Index::axis(0, 4)}),
                           Expr::load(1, Type::f32, {1}), Expr::load(3, Type::f32, {0})})
    EXPECT_EQ(read(load), load);
}

TEST_F(ReadKnown, ATensorNeedsNumbersOnly) {
  EXPECT_FALSE(tensor_of(values_[2], known_.at(2)).has_value());
  EXPECT_FALSE(tensor_of(values_[1], known_.at(1)).has_value());
  known_.at(2)[3] = SymbolicElement{4};
  EXPECT_EQ(tensor_of(values_[2], known_.at(2)),
            make_tensor(Type::i32, {2, 2}, std::vector<int64_t>{1, 2, 3, 4}));
  EXPECT_FALSE(tensor_of(value_of(Type::i32, {n_}), known_.at(2)).has_value());
}

}  // namespace
}  // namespace burin::lower_read_known_test
