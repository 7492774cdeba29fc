#include <algorithm>
#include <map>

#include "kernel/expr/expr_axes.h"
#include "select/rows/row_blocks.h"
#include "select/rows/row_epilogue.h"

namespace burin {
namespace {

class RowEpilogueChecker {
 public:
  explicit RowEpilogueChecker(const LoopPlan& schedule)
      : schedule_(schedule),
        kernel_(schedule.kernel),
        product_(schedule.last_product()),
        epilogue_(*product_.row_epilogue) {}

  std::string fault() {
    const ContractionSchedule& contraction = product_;
    if (epilogue_.value < 1 || at(epilogue_.value) >= kernel_.lets.size())
      return "a row epilogue has no let";
    if (schedule_.contraction->block_rows % rows_together(schedule_) != 0)
      return "a block of rows ends inside of those that are multiplied together";
    if (contraction.window || contraction.m < 0 || contraction.n < 0)
      return "what is in front of a row epilogue is no product of matrices";
    rows_ = contraction.batch;
    rows_.push_back(contraction.m);
    check_value();
    for (size_t i = at(epilogue_.value) + 1; i < kernel_.lets.size(); ++i)
      check_let(kernel_.lets[i]);
    for (size_t i = 0; i < kernel_.writes.size(); ++i) check_write(static_cast<int>(i));
    count(schedule_.row_epilogue);
    for (size_t i = at(epilogue_.value) + 1; i < kernel_.lets.size(); ++i) {
      if (lets_[static_cast<int>(i)] != 1) fail("a let of a row is not made once");
    }
    for (size_t i = 0; i < kernel_.writes.size(); ++i) {
      const int write = static_cast<int>(i);
      if (stores_[write] != (write == epilogue_.write ? 0 : 1))
        fail("a result of a row is not stored once");
    }
    return fault_;
  }

 private:
  static size_t at(int number) { return static_cast<size_t>(number); }
  void fail(const char* why) {
    if (fault_.empty()) fault_ = why;
  }

  // A value for every row and column, from the product alone.
  void check_value() {
    const Let& value = kernel_.lets[at(epilogue_.value)];
    std::vector<int> all = rows_;
    all.push_back(product_.n);
    std::sort(all.begin(), all.end());
    if (value.op != Combiner::none || value.over != all)
      fail("the value of a row is not one for each column");
    visit(value.body[0], [&](const ExprNode& node) {
      if (node.kind == ExprKind::let && node.id != epilogue_.value - 1)
        fail("the value of a row knows of another let");
    });
  }

  void check_let(const Let& let) {
    for (const int row : rows_) {
      if (!contains(let.over, row)) fail("a let behind the product is not of a row");
    }
    for (const int axis : let.reduced) {
      if (axis != product_.n) fail("a let behind the product reduces no columns");
    }
    for (const Expr& body : let.body) check_uses(body);
  }

  void check_write(int number) {
    const Write& write = kernel_.writes[at(number)];
    for (const int row : rows_) {
      if (!contains(write.over, row)) fail("a write is not of a row");
    }
    if (number == epilogue_.write) {
      const bool own = write.value.kind() == ExprKind::let && write.value->id == epilogue_.value &&
                       write.over == kernel_.lets[at(epilogue_.value)].over;
      if (!own || !write.when.empty() || write.how != How::store)
        fail("what is read back is not what was stored");
    }
    check_uses(write.value);
    for (const Index& index : write.at) check_uses(Expr::index(index));
  }

  // Rows know of themselves only, and of nothing that the tiles have left behind.
  void check_uses(const Expr& expr) {
    visit(expr, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load) {
        for (const Write& write : kernel_.writes) {
          if (write.to == node.id) fail("what the kernel writes is read");
        }
      }
      if (node.kind != ExprKind::let) return;
      if (node.id < epilogue_.value) fail("a let in front of the rows is read behind them");
      const Let& let = kernel_.lets[at(node.id)];
      for (size_t k = 0; k < let.over.size(); ++k) {
        const bool row = contains(rows_, let.over[k]);
        if (row && (node.at[k].kind() != IndexKind::axis || node.at[k].axis_id() != let.over[k]))
          fail("another row is read");
      }
    });
  }

  void count(const LoopNodes& nodes) {
    for (const LoopNode& node : nodes) {
      if (const auto* loop = std::get_if<ForLoop>(&node.node)) {
        if (contains(rows_, loop->axis)) fail("the loops of a row run over rows");
        count(loop->nodes);
      } else if (const auto* end = std::get_if<EndLet>(&node.node)) {
        ++lets_[end->let];
      } else if (const auto* define = std::get_if<Define>(&node.node)) {
        ++lets_[define->let];
      } else if (const auto* store = std::get_if<Store>(&node.node)) {
        ++stores_[store->write];
      }
    }
  }

  const LoopPlan& schedule_;
  const Kernel& kernel_;
  const ContractionSchedule& product_;
  const RowEpilogue& epilogue_;
  std::vector<int> rows_;
  std::map<int, int> lets_, stores_;
  std::string fault_;
};

}  // namespace

std::string check_row_epilogue(const LoopPlan& schedule) {
  if (!schedule.contraction || !schedule.last_product().row_epilogue) return {};
  return RowEpilogueChecker(schedule).fault();
}

}  // namespace burin
