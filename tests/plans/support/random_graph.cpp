#include "plans/support/random_graph.h"

#include <algorithm>
#include <string>

namespace burin::test {
namespace {

class Maker {
 public:
  Maker(Numbers& numbers, const RandomGraphOptions& options)
      : numbers_(numbers), options_(options) {
    if (options.symbols) {
      sides_ = {Index::symbol(param("N", 1, 9, 4)), Index::symbol(param("M", 2, 7, 3)), 4};
    } else {
      sides_ = {numbers.between(1, 4), numbers.between(2, 5), 4};
    }
  }

  KernelGraph make() {
    for (int i = 0; i < 2; ++i) known_.push_back(b_.input({side(), side()}));
    for (int i = 0; i < options_.steps; ++i) add(options_.regions ? 2 : 0);
    // What is not read again could be left out; some of it is the result.
    for (int i = 0; i < 2; ++i) {
      const ValueId last = i == 0 ? known_.back() : any();
      b_.unary(b_.output(b_.shape(last)), last);
    }
    return std::move(b_.graph);
  }

 private:
  Dim side() { return sides_[static_cast<size_t>(numbers_.below(3))]; }

  // The newer, the more likely.
  ValueId any() {
    const auto count = static_cast<int64_t>(known_.size());
    const int64_t back = std::min(numbers_.below(count), numbers_.below(count));
    return known_[static_cast<size_t>(count - 1 - back)];
  }

  ValueId like(ValueId x) { return b_.internal(b_.shape(x)); }

  ValueId any_like(ValueId x) {
    std::vector<ValueId> equal;
    for (const ValueId id : known_) {
      if (b_.shape(id) == b_.shape(x)) equal.push_back(id);
    }
    return equal[static_cast<size_t>(numbers_.below(static_cast<int64_t>(equal.size())))];
  }

  void done(ValueId id) { known_.push_back(id); }

  void add(int depth) {
    const ValueId x = any();
    const Dim rows = b_.shape(x)[0];
    const Dim columns = b_.shape(x)[1];
    switch (numbers_.below(depth > 0 ? 13 : 10)) {
      case 0:
      case 1: {
        const ValueId y = like(x);
        b_.unary(y, x);
        return done(y);
      }
      case 2: {
        const ValueId y = like(x);
        b_.binary(y, x, any_like(x));
        return done(y);
      }
      case 3: {
        const ValueId y = b_.internal({columns, rows});
        b_.transpose(y, x);
        return done(y);
      }
      case 4: {
        const ValueId y = like(x);
        b_.normalise_rows(y, x);
        return done(y);
      }
      case 5: {  // reshape
        const ValueId y =
            numbers_.one_in(2) ? b_.internal({rows * columns, 1}) : b_.internal({columns, rows});
        b_.copy(y, x);
        return done(y);
      }
      case 6: {  // rows are at least 1 everywhere
        const ValueId y = b_.internal({1, columns});
        b_.slice(y, x, numbers_.one_in(2) ? rows - 1 : Dim(0));
        return done(y);
      }
      case 7: {
        std::vector<ValueId> parts;
        Dim total = 0;
        for (int i = 0; i < 3; ++i) {
          ValueId part = any();
          if (!(b_.shape(part)[1] == columns)) part = x;
          total += b_.shape(part)[0];
          parts.push_back(part);
        }
        const ValueId y = b_.internal({total, columns});
        b_.concat(y, parts);
        return done(y);
      }
      case 8: {
        const ValueId top = b_.internal({1, columns});
        const ValueId rest = b_.internal({rows, columns});
        const ValueId both = b_.internal({rows + 1, columns});
        b_.concat(both, {any_row(columns), x});
        b_.split({top, rest}, both);
        done(top);
        return done(rest);
      }
      case 9: {  // a copy, then an update of it
        const ValueId y = like(x);
        b_.copy(y, x);
        b_.add_row(y, rows - 1, x);
        return done(y);
      }
      case 10:
        return add_if(x, depth);
      default:
        return numbers_.one_in(2) ? add_loop(x, depth) : add_collecting_loop(x, depth);
    }
  }

  ValueId any_row(const Dim& columns) {
    const ValueId row = b_.internal({1, columns});
    const ValueId from = b_.input({1, columns});
    b_.unary(row, from);
    return row;
  }

  // Runs the body with what it defines unknown afterwards.
  template <class Body>
  void inside(Steps& steps, const Body& body) {
    const size_t before = known_.size();
    b_.into(steps, body);
    known_.resize(before);
  }

  void add_some(int depth) {
    for (int64_t i = numbers_.between(1, 3); i > 0; --i) add(depth - 1);
  }

  void give(ValueId to) {
    const ValueId from = any_like(to);
    if (numbers_.one_in(2)) {
      b_.copy(to, from);
    } else {
      b_.unary(to, from);
    }
  }

  void add_if(ValueId x, int depth) {
    const ValueId y = like(x);
    auto branch = std::make_shared<If>();
    branch->condition = compare(Binary::gt, b_.load(x, {0, 0}), Expr::constant(Type::f32, 0.0));
    for (Steps* steps : {&branch->then_steps, &branch->else_steps}) {
      inside(*steps, [&] {
        add_some(depth);
        give(y);
      });
    }
    b_.step(branch);
    done(y);
  }

  std::shared_ptr<Loop> new_loop() {
    auto loop = std::make_shared<Loop>();
    loop->iteration = iteration("i" + std::to_string(loops_++), 3);
    loop->trips = 4;
    loop->condition = Expr::boolean(true);
    return loop;
  }

  void add_loop(ValueId x, int depth) {
    const ValueId state = like(x);
    give_from(state, x);
    known_.push_back(state);
    auto loop = new_loop();
    inside(loop->body, [&] {
      add_some(depth);
      const ValueId next = like(state);
      b_.binary(next, state, any_like(state));
      if (numbers_.one_in(2)) add_some(depth);
      b_.copy(state, next);
    });
    b_.step(loop);
  }

  void give_from(ValueId to, ValueId from) {
    if (numbers_.one_in(2)) {
      b_.copy(to, from);
    } else {
      b_.unary(to, from);
    }
  }

  void add_collecting_loop(ValueId x, int depth) {
    const ValueId rows = b_.internal({4, b_.shape(x)[1]});
    auto loop = new_loop();
    inside(loop->body, [&] {
      add_some(depth);
      const ValueId y = like(x);
      b_.binary(y, x, any_like(x));
      b_.set_row(rows, Index::symbol(loop->iteration), y);
    });
    b_.step(loop);
    // Three iterations run in the tests.
    const ValueId read = b_.internal({3, b_.shape(x)[1]});
    b_.slice(read, rows, 0);
    done(read);
  }

  Numbers& numbers_;
  RandomGraphOptions options_;
  GraphBuilder b_;
  std::vector<Dim> sides_;
  std::vector<ValueId> known_;  // written before, in reach
  int loops_ = 0;
};

}  // namespace

KernelGraph random_graph(Numbers& numbers, const RandomGraphOptions& options) {
  KernelGraph graph = Maker(numbers, options).make();
  // Symbols in order of first use by the inputs.
  for (const ValueId input : graph.inputs) {
    for (const Dim& dim : graph.values[static_cast<size_t>(input)].shape) {
      std::vector<Symbol> symbols;
      dim.collect_symbols(symbols);
      for (const Symbol& symbol : symbols) {
        const bool known = std::any_of(graph.symbols.begin(), graph.symbols.end(),
                                       [&](const Symbol& s) { return s->name == symbol->name; });
        if (!known) graph.symbols.push_back(symbol);
      }
    }
  }
  return with_step_ids(std::move(graph));
}

}  // namespace burin::test
