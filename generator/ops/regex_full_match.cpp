// RegexFullMatch: whether the whole of a string matches an expression. The states of its automaton
// go from byte to byte as those of a recurrent network do. Since opset 20.
#include "kernel/tensor.h"
#include "ops/api/core/op_def.h"
#include "ops/api/strings/regex.h"
#include "ops/api/strings/strings.h"

namespace burin::regex_full_match_op {
namespace {

Operand table(OpContext& op, const std::string& what, std::vector<int64_t> shape,
              const std::vector<int64_t>& numbers) {
  const HostTensor host = make_tensor(Type::u8, std::move(shape), numbers);
  return op.constant_operand(what, {host.type, host.shape, to_constant(host), {}});
}

std::vector<int64_t> marks(const std::vector<int>& places, size_t count) {
  std::vector<int64_t> out(count);
  for (const int place : places) out[static_cast<size_t>(place)] = 1;
  return out;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const Operand y = op.output(0, Type::boolean, x.shape());
  const Automaton automaton = automaton_of(op.text("pattern", ""));
  const int64_t count = static_cast<int64_t>(automaton.bytes.size()), bytes = op.string_bytes();
  const Expr empty = Expr::boolean(automaton.empty);
  if (count == 0) {
    op.map(y, [&](const Indices& at) { return both(empty, is_byte(x.byte_at(at, Index(0)), 0)); });
    return;
  }
  std::vector<int64_t> read, follow;
  for (int64_t byte = 0; byte < 256; ++byte) {
    for (const auto& one : automaton.bytes) read.push_back(one[static_cast<size_t>(byte)]);
  }
  for (const auto& one : automaton.follow) {
    const std::vector<int64_t> row = marks(one, automaton.bytes.size());
    follow.insert(follow.end(), row.begin(), row.end());
  }
  const Operand reads = table(op, "reads", {256, count}, read),
                follows = table(op, "follows", {count, count}, follow),
                first = table(op, "first", {count}, marks(automaton.first, automaton.bytes.size())),
                last = table(op, "last", {count}, marks(automaton.last, automaton.bytes.size()));
  // states[at, byte, place]: whether the string up to this byte may be at that place.
  Shape shape = x.shape();
  shape.emplace_back(bytes);
  shape.emplace_back(count);
  const Operand states = op.temporary("states", Type::u8, shape);
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Index byte = kernel.axis(bytes, "byte", AxisKind::sequential);
  const Index place = kernel.axis(count, "place"), from = kernel.reduce_axis(count, "from");
  const auto existing = [](Indices indices) {
    std::erase_if(indices, [](const Index& index) { return index.is_constant(); });
    return indices;
  };
  Indices before = at, now = at;
  before.insert(before.end(), {byte - 1, from});
  now.insert(now.end(), {byte, place});
  const int state = kernel.next_let() + 1;
  const Expr old = Expr::cases({{{{byte, 1, bytes}}, Expr::let(state, Type::u8, existing(before))}},
                               Expr::constant(Type::u8, 0));
  const Expr reached =
      kernel.reduce(Combiner::max, existing({from}), min(old, follows.at({from, place})));
  const Expr begun = Expr::cases({{{{byte, 0, 1}}, first.at({place})}}, reached);
  const Index letter = Index::data(Expr::cast(Type::i64, x.byte_at(at, byte)).ptr(), {0, 255});
  const Expr next = kernel.let(now, min(begun, reads.at({letter, place})));
  now.resize(at.size());
  Indices to = at;
  to.insert(to.end(), {byte, place});
  kernel.write(states, to, next);
  op.emit(kernel);

  KernelBuilder match;
  const Indices each = match.axes(x.shape());
  const Expr length = length_of(op, match, bytes_at(x, each));
  const Index end = match.reduce_axis(bytes, "end"), where = match.reduce_axis(count, "place");
  Indices read_at = each;
  read_at.insert(read_at.end(), {end, where});
  const Expr is_last = compare(Binary::eq, Expr::index(end), length - whole(1));
  const Expr there =
      Expr::select(is_last, min(states.at(read_at), last.at({where})), Expr::constant(Type::u8, 0));
  const Expr found = match.reduce(Combiner::max, existing({end, where}), there);
  match.write(y, each,
              Expr::select(compare(Binary::eq, length, whole(0)), empty,
                           compare(Binary::gt, found, Expr::constant(Type::u8, 0))));
  op.emit(match);
}

}  // namespace

OpDef definition() {
  return {.name = "RegexFullMatch",
          .since = 20,
          .inputs = {{"X", types::string}},
          .outputs = {{"Y"}},
          .attributes = {{"pattern", AttributeKind::text}},
          .lower = lower};
}

}  // namespace burin::regex_full_match_op
