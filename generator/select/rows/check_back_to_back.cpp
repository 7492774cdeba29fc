#include <algorithm>

#include "kernel/index/sample_sizes.h"
#include "kernel/let_uses.h"
#include "select/rows/back_to_back.h"

namespace burin {
namespace {

class BackToBackChecker {
 public:
  explicit BackToBackChecker(const LoopPlan& schedule)
      : schedule_(schedule),
        kernel_(schedule.kernel),
        first_(*schedule.contraction),
        second_(*schedule.second) {}

  std::string fault() {
    if (!first_.row_epilogue || first_.row_epilogue->write >= 0 || first_.block_rows < 1)
      return "the intermediate rows of two products have no place";
    between_ = first_.row_epilogue->value;
    if (between_ < 1 || static_cast<size_t>(between_) + 1 >= kernel_.lets.size() ||
        static_cast<size_t>(between_) >= schedule_.places.size())
      return "the intermediate rows of two products are no let";
    check_products();
    check_rows();
    check_place();
    check_order();
    return fault_;
  }

 private:
  void require(bool holds, const char* why) {
    if (!holds && fault_.empty()) fault_ = why;
  }
  Index point(int axis) const {
    return Index::axis(axis, kernel_.axes[static_cast<size_t>(axis)].extent);
  }

  // Both are products of matrices, the depth of the one is the columns of the other.
  void check_products() {
    for (const ContractionSchedule* one : {&first_, &second_}) {
      require(!one->window && one->batch.empty() && one->m >= 0 && one->n >= 0,
              "one of two products is no product of matrices");
      require(first_.block_rows % one->tile.rows == 0, "a block of rows ends inside of a tile");
      require(one->a.prepacked == kNoValue && (one->b.prepacked != kNoValue || one->b.compact > 0),
              "the columns of one of two products are not packed");
    }
    require(second_.m == first_.m && second_.rows == first_.rows, "two products have other rows");
    require(second_.k == std::vector<int>{first_.n} && second_.depth == first_.columns &&
                second_.n != first_.n,
            "the depth of a product is not the columns of the one before");
  }

  // One value for every row and column, made of the first product alone, read at its own point.
  void check_rows() {
    const Let& rows = kernel_.lets[static_cast<size_t>(between_)];
    std::vector<int> all{first_.m, first_.n};
    std::sort(all.begin(), all.end());
    require(rows.op == Combiner::none && rows.over == all &&
                rows.accumulator == std::vector<Type>{Type::f32},
            "the intermediate rows of two products are not one value for each column");
    require(lets_in(rows.body[0]) == std::set<int>{between_ - 1},
            "the intermediate rows of two products know of another let");
    require(second_.a.element == Expr::let(between_, Type::f32, {point(all[0]), point(all[1])}),
            "a product reads other rows than those before it");
    require(kernel_.lets[static_cast<size_t>(between_) + 1].body[0] ==
                second_.a.element * second_.b.element,
            "a product is not the sum of its factors");
  }

  // Panels as the second product reads them, inside of scratch and behind those of the first.
  void check_place() {
    const LetPlace& place = schedule_.places[static_cast<size_t>(between_)];
    require(!place.scalar && place.offset.size() == 1 &&
                place.axes == std::vector<int>{first_.m, first_.n} &&
                place.panel_rows == second_.tile.rows,
            "the intermediate rows of two products are no panels");
    if (!fault_.empty()) return;
    for (const Sample sample : kSamples) check_place_at(place, sample);
  }

  void check_place_at(const LetPlace& place, Sample sample) {
    const auto size = [&](const Dim& dim) { return std::max<int64_t>(0, at_sample(dim, sample)); };
    const int64_t rows = std::min(size(first_.rows), first_.block_rows);
    const auto panels = [&](const Dim& depth, int width) {
      return (rows + width - 1) / width * width * size(depth) * 4;
    };
    const int64_t begin = size(place.offset[0]);
    require(first_.a_unpacked || begin >= panels(first_.depth, first_.tile.rows),
            "the intermediate rows of two products lie in the panels of the first");
    require(begin + panels(first_.columns, second_.tile.rows) <= size(schedule_.scratch_bytes),
            "the intermediate rows of two products do not fit their place");
    for (size_t i = 0; i < schedule_.places.size(); ++i) {
      const LetPlace& other = schedule_.places[i];
      if (static_cast<int>(i) == between_ || other.scalar) continue;
      const int64_t at = size(other.offset[0]);
      require(at < begin || at >= begin + panels(first_.columns, second_.tile.rows),
              "a let lies in the intermediate rows of two products");
    }
  }

  // Behind the second product nobody knows of what the first one made, and nothing is read that
  // the kernel writes.
  void check_order() {
    require(reads_no_let_before(kernel_, between_ + 1, between_ + 2),
            "a let in front of the rows is read behind them");
    const std::vector<ValueId> reads = reads_of(kernel_);
    for (const Write& write : kernel_.writes) {
      require(std::find(reads.begin(), reads.end(), write.to) == reads.end(),
              "what the kernel writes is read");
      require(std::find(write.over.begin(), write.over.end(), first_.m) != write.over.end(),
              "a write is not of a row");
    }
  }

  const LoopPlan& schedule_;
  const Kernel& kernel_;
  const ContractionSchedule &first_, &second_;
  int between_ = 0;
  std::string fault_;
};

}  // namespace

std::string check_back_to_back(const LoopPlan& schedule) {
  return schedule.second ? BackToBackChecker(schedule).fault() : std::string();
}

}  // namespace burin
