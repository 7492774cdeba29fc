// StringSplit: strings cut at a delimiter, or at white space: as many as the longest list has,
// empty ones behind, and how many each string gave: none of an empty one, as in onnxruntime (the
// reference evaluator gives an empty piece where there is a delimiter). Since opset 20.
#include "kernel/tensor.h"
#include "ops/api/core/op_def.h"
#include "ops/api/strings/strings.h"
#include "support/diagnostics.h"

namespace burin::string_split_op {
namespace {

// For every byte of every string: 1 where a piece begins (at white space) or where a delimiter
// does, and how many of these there are as far as it.
struct Cuts {
  Operand here, upto;
};

Indices with(Indices at, const Index& byte) {
  at.push_back(byte);
  return at;
}

Expr is_space(const Expr& byte) { return either(is_between(byte, 9, 13), is_byte(byte, 32)); }

Cuts temporaries(OpContext& op, const Operand& x) {
  Shape shape = x.shape();
  shape.emplace_back(op.string_bytes());
  return {op.temporary("cuts", Type::i64, shape), op.temporary("cuts_upto", Type::i64, shape)};
}

Cuts at_spaces(OpContext& op, const Operand& x) {
  const Cuts cuts = temporaries(op, x);
  const int64_t bytes = op.string_bytes();
  op.map(cuts.here, [&](const Indices& all) {
    const Index byte = all.back();
    const Indices at(all.begin(), all.end() - 1);
    const Expr here = x.byte_at(at, byte);
    const Expr before = Expr::cases({{{{byte, 1, bytes}}, x.byte_at(at, max(byte - 1, 0))}},
                                    Expr::constant(Type::u8, 32));
    const Expr text = both(compare(Binary::ne, here, Expr::constant(Type::u8, 0)),
                           Expr::unary(Unary::logical_not, is_space(here)));
    return Expr::cast(Type::i64, both(text, is_space(before)));
  });
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Index end = kernel.axis(bytes), byte = kernel.reduce_axis(bytes, "byte");
  const Expr is_before = compare(Binary::le, Expr::index(byte), Expr::index(end));
  kernel.write(cuts.upto, with(at, end),
               kernel.reduce(Combiner::sum, {byte},
                             Expr::select(is_before, cuts.here.at(with(at, byte)), whole(0))));
  op.emit(kernel);
  return cuts;
}

// From left to right; one that begins inside the one before is none.
Cuts at_delimiter(OpContext& op, const Operand& x, const std::string& delimiter, int64_t most) {
  const Cuts cuts = temporaries(op, x);
  const int64_t bytes = op.string_bytes(), length = static_cast<int64_t>(delimiter.size());
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Index byte = kernel.axis(bytes, "byte", AxisKind::sequential);
  Indices now, before;
  for (const Index& index : at) {
    if (index.is_constant()) continue;
    now.push_back(index);
    before.push_back(index);
  }
  now.push_back(byte);
  before.push_back(byte - 1);
  const auto last = [&](int let) {
    return Expr::cases({{{{byte, 1, bytes}}, Expr::let(let, Type::i64, before)}}, whole(0));
  };
  const int found = kernel.next_let(), free = found + 1, count = found + 2;
  Expr is_here = both(compare(Binary::ge, Expr::index(byte), last(free)),
                      compare(Binary::lt, last(count), whole(most)));
  for (int64_t k = 0; k < length; ++k) {
    const Index place = byte + k;
    const Expr same = is_byte(x.byte_at(at, min(place, bytes - 1)),
                              static_cast<unsigned char>(delimiter[static_cast<size_t>(k)]));
    is_here = both(is_here, Expr::cases({{{{place, 0, bytes}}, same}}, Expr::boolean(false)));
  }
  const Expr cut = kernel.let(now, Expr::cast(Type::i64, is_here));
  kernel.let(now, Expr::select(compare(Binary::gt, cut, whole(0)),
                               Expr::index(byte) + whole(length), last(free)));
  const Expr so_far = kernel.let(now, last(count) + cut);
  kernel.write(cuts.here, with(at, byte), cut);
  kernel.write(cuts.upto, with(at, byte), so_far);
  op.emit(kernel);
  return cuts;
}

void lower(OpContext& op) {
  const Operand x = op.input(0);
  const std::string delimiter = op.text("delimiter", "");
  const int64_t bytes = op.string_bytes();
  const bool spaces = delimiter.empty();
  const int64_t given = op.integer("maxsplit", bytes);
  if (given < 0) refuse("bad-attribute", "maxsplit is " + std::to_string(given));
  const int64_t most = std::min(given, bytes);  // there are no more places to cut at
  if (static_cast<int64_t>(delimiter.size()) > bytes)
    refuse("unsupported-feature", "the delimiter is longer than a string");
  const Cuts cuts = spaces ? at_spaces(op, x) : at_delimiter(op, x, delimiter, most);
  const Operand z = op.output(1, Type::i64, x.shape());
  const Operand lengths = op.temporary("lengths", Type::i64, x.shape());
  KernelBuilder counted;
  const Indices each = counted.axes(x.shape());
  const Expr length = length_of(op, counted, bytes_at(x, each));
  const Expr cut = cuts.upto.at(with(each, Index(bytes - 1)));
  counted.write(lengths, each, length);
  counted.write(
      z, each,
      spaces ? min(cut, whole(most) + whole(1))
             : Expr::select(compare(Binary::gt, length, whole(0)), cut + whole(1), whole(0)));
  op.emit(counted);
  const Dim pieces = largest_of(op, "pieces", z, bytes + 1);

  Shape shape = x.shape();
  shape.push_back(pieces);
  const Operand begins = op.temporary("begins", Type::i64, shape),
                ends = op.temporary("ends", Type::i64, shape);
  KernelBuilder kernel;
  const Indices at = kernel.axes(x.shape());
  const Index piece = kernel.axis(pieces), byte = kernel.reduce_axis(bytes, "byte");
  const Expr here = compare(Binary::gt, cuts.here.at(with(at, byte)), whole(0)),
             upto = cuts.upto.at(with(at, byte)), number = Expr::index(piece);
  const auto cut_of = [&](const Expr& which) {
    return kernel.reduce(Combiner::min, {byte},
                         Expr::select(both(here, compare(Binary::eq, upto, which)),
                                      Expr::index(byte), whole(bytes)));
  };
  const Expr total = lengths.at(at);
  const Expr begin =
      spaces ? cut_of(number + whole(1))
             : Expr::select(compare(Binary::eq, number, whole(0)), whole(0),
                            cut_of(number) + whole(static_cast<int64_t>(delimiter.size())));
  Expr end;
  if (spaces) {
    // The first white space behind its beginning; the last piece takes all that is left.
    const Index space = kernel.reduce_axis(bytes, "space");
    const Expr is_end =
        both(is_space(x.byte_at(at, space)), compare(Binary::ge, Expr::index(space), begin));
    const Expr next = kernel.reduce(Combiner::min, {space},
                                    Expr::select(is_end, Expr::index(space), whole(bytes)));
    end = Expr::select(compare(Binary::ge, number, whole(most)), total, min(next, total));
  } else {
    end = min(cut_of(number + whole(1)), total);
  }
  kernel.write(begins, with(at, piece), begin);
  kernel.write(ends, with(at, piece), end);
  op.emit(kernel);

  const Operand y = op.output(0, Type::string, shape);
  op.map(y, [&](const Indices& all) {
    const Indices from(all.begin(), all.end() - 1);
    const Expr place = begins.at(all) + Expr::index(byte_axis());
    const Expr inside = both(compare(Binary::lt, place, ends.at(all)),
                             compare(Binary::lt, Expr::index(all.back()), z.at(from)));
    return Expr::select(inside, x.byte_at(from, clipped(place, bytes)),
                        Expr::constant(Type::u8, 0));
  });
}

}  // namespace

OpDef definition() {
  return {.name = "StringSplit",
          .since = 20,
          .inputs = {{"X", types::string}},
          .outputs = {{"Y"}, {"Z"}},
          .attributes = {{"delimiter", AttributeKind::text}, {"maxsplit", AttributeKind::integer}},
          .lower = lower};
}

}  // namespace burin::string_split_op
