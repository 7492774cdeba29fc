#include "ops/api/math/elementwise.h"

#include "ops/api/movement/stretch.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

void require_same_type(const Operand& a, const Operand& b) {
  if (a.type() == b.type()) return;
  refuse("type-mismatch", "inputs have types " + std::string(to_string(a.type())) + " and " +
                              std::string(to_string(b.type())) + "; they must be one type");
}

// Before opset 7: B's dimensions lie inside A's, from `axis` on (from the right without it). Gives
// B's index at a point of A, after the shapes were required to match.
std::function<Expr(const Indices&)> legacy_reader(OpContext& op, const Operand& a,
                                                  const Operand& b) {
  if (op.integer("broadcast", 0) == 0) {
    if (a.rank() != b.rank()) {
      refuse("shape-mismatch", "shapes " + to_string(a.shape()) + " and " + to_string(b.shape()) +
                                   " differ and broadcast is not set");
    }
    for (int d = 0; d < a.rank(); ++d) op.require_equal(a.dim(d), b.dim(d), "operand dimension");
    return [b](const Indices& at) { return b.at(at); };
  }
  if (b.rank() > a.rank()) {
    refuse("shape-mismatch", "B has rank " + std::to_string(b.rank()) + ", more than A's " +
                                 std::to_string(a.rank()));
  }
  int start = a.rank() - b.rank();
  if (op.has("axis")) {
    const int64_t given = op.integer("axis");
    if (given < -a.rank() || given > a.rank()) normalize_axis(given, a.rank());
    start = static_cast<int>(given < 0 ? given + a.rank() : given);
    if (start + b.rank() > a.rank()) {
      refuse("bad-attribute", "axis " + std::to_string(given) + " leaves no room for B's rank " +
                                  std::to_string(b.rank()) + " in A's " + std::to_string(a.rank()));
    }
  }
  for (int d = 0; d < b.rank(); ++d) {
    if (!b.dim(d).is_constant(1)) op.require_equal(a.dim(start + d), b.dim(d), "B's dimension");
  }
  return [b, start](const Indices& at) {
    Indices part;
    for (int d = 0; d < b.rank(); ++d) {
      const bool single = b.dim(d).is_constant(1);
      part.push_back(single ? Index(0) : at[static_cast<size_t>(start + d)]);
    }
    return b.at(std::move(part));
  };
}

}  // namespace

void map_unary(OpContext& op, const std::function<Expr(const Expr&)>& f) {
  const Operand x = op.input(0);
  const Operand y = op.output(0, x.type(), x.shape());
  op.map(y, [&](const Indices& at) { return f(x.at(at)); });
}

void map_unary(OpContext& op, Unary f) {
  map_unary(op, [f](const Expr& x) { return Expr::unary(f, x); });
}

void map_binary(OpContext& op, const std::function<Expr(const Expr&, const Expr&)>& f, Type result,
                bool mixed) {
  const Operand a = op.input(0), b = op.input(1);
  if (!mixed) require_same_type(a, b);
  if (result == Type::none) result = a.type();
  if (op.version() < 7) {
    const auto read = legacy_reader(op, a, b);
    const Operand y = op.output(0, result, a.shape());
    op.map(y, [&](const Indices& at) { return f(a.at(at), read(at)); });
    return;
  }
  const Operand y = op.output(0, result, broadcast(op, {a.shape(), b.shape()}));
  op.map(y, [&](const Indices& at) { return f(stretched_at(a, at), stretched_at(b, at)); });
}

void map_binary(OpContext& op, Binary f, Type result) {
  map_binary(
      op, [f](const Expr& a, const Expr& b) { return Expr::binary(f, a, b); }, result);
}

void map_variadic(OpContext& op, Binary f, const std::function<Expr(const Expr&)>& finish) {
  std::vector<Operand> inputs;
  std::vector<Shape> shapes;
  for (int i = 0; i < op.input_count(); ++i) {
    inputs.push_back(op.input(i));
    require_same_type(inputs[0], inputs.back());
    shapes.push_back(inputs.back().shape());
    if (op.version() < 8 && inputs.back().rank() != inputs[0].rank()) {
      refuse("shape-mismatch", "inputs have ranks " + std::to_string(inputs[0].rank()) + " and " +
                                   std::to_string(inputs.back().rank()));
    }
  }
  const Operand y = op.output(0, inputs[0].type(), broadcast(op, shapes));
  op.map(y, [&](const Indices& at) {
    Expr all = stretched_at(inputs[0], at);
    for (size_t i = 1; i < inputs.size(); ++i)
      all = Expr::binary(f, all, stretched_at(inputs[i], at));
    return finish ? finish(all) : all;
  });
}

OpDef unary_op(std::string name, TypeSet types, void (*lower)(OpContext&), int since,
               std::string input, std::string output) {
  return {.name = std::move(name),
          .since = since,
          .inputs = {{std::move(input), types}},
          .outputs = {{std::move(output)}},
          .lower = lower};
}

OpDef binary_op(std::string name, TypeSet types, void (*lower)(OpContext&), int since) {
  OpDef def{.name = std::move(name),
            .since = since,
            .inputs = {{"A", types}, {"B", types}},
            .outputs = {{"C"}},
            .lower = lower};
  if (since < 7) {
    def.attributes = {{"axis", AttributeKind::integer, false, until(6)},
                      {"broadcast", AttributeKind::integer, false, until(6)}};
  }
  return def;
}

OpDef variadic_op(std::string name, TypeSet types, void (*lower)(OpContext&), std::string output) {
  return {.name = std::move(name),
          .inputs = {{"data_0", types, Arity::variadic}},
          .outputs = {{std::move(output)}},
          .lower = lower};
}

OpDef overwriting(OpDef def) {
  def.attributes.push_back({"consumed_inputs", AttributeKind::integers, false, until(5)});
  return def;
}

}  // namespace burin
