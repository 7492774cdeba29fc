#include "select/bytes/exponent_row.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "isa/byte_rows.h"
#include "isa/requantise_rows.h"
#include "select/bytes/row_stmts.h"
#include "select/bytes/values_over.h"

namespace burin {
namespace {

constexpr double kUnit = 0x1p-24;        // half of one of an entry, of a float of 1
constexpr int kShift = 30 - kEntryBits;  // of entries before they are multiplied

int lets_in(const Expr& expr, int number) {
  int out = 0;
  visit(expr, [&](const ExprNode& node) {
    out += node.kind == ExprKind::let && (number < 0 || node.id == number);
  });
  return out;
}

class ExponentFinder {
 public:
  ExponentFinder(const Kernel& kernel, std::vector<Value>& values)
      : kernel_(kernel), values_(values) {}

  std::optional<ExponentRow> run() {
    out_.axis = axis_of_row(kernel_, values_, false);
    if (out_.axis < 0 || !has_lets() || !find_load()) return std::nullopt;
    const Expr& value = kernel_.writes[0].value;
    const Expr& exponent = kernel_.lets[1].body[0];
    const Expr share = replaced(value, exponent, Expr::constant(Type::f32, 0));
    if (lets_in(share, 1) != 1 || lets_in(share, -1) != 1) return std::nullopt;
    const std::optional<RunLine> line = run_line_of(value, exponent);
    if (!line || lets_in(line->offset, -1) > 0 || !find_entries()) return std::nullopt;
    out_.line = *line;
    add_constants();
    return out_;
  }

 private:
  bool has_lets() const {
    if (kernel_.lets.size() != 2) return false;
    const Let &greatest = kernel_.lets[0], &sum = kernel_.lets[1];
    const std::vector<int> row{out_.axis};
    if (greatest.op != Combiner::max || sum.op != Combiner::sum || greatest.reduced != row ||
        sum.reduced != row)
      return false;
    const Expr& exponent = sum.body[0];
    if (exponent.kind() != ExprKind::unary || exponent->unary() != Unary::exp) return false;
    const Expr& less = exponent->operands[0];
    return less.kind() == ExprKind::binary && less->binary() == Binary::sub &&
           less->operands[0] == greatest.body[0] && less->operands[1].kind() == ExprKind::let &&
           less->operands[1]->id == 0;
  }
  bool find_load() {
    out_.of_byte = kernel_.lets[0].body[0];
    visit(out_.of_byte, [&](const ExprNode& node) {
      if (node.kind == ExprKind::load && values_[at(node.id)].kind != ValueKind::constant)
        out_.load = Expr::load(node.id, node.storage, node.at);
    });
    if (!out_.load || !is_byte(out_.load->storage) || out_.load.type() != out_.load->storage)
      return false;
    const Expr rest = replaced(out_.of_byte, out_.load, Expr::constant(out_.load.type(), 0));
    return is_of_constants(rest, values_) && axes_of(rest).empty() &&
           lies_in_row(values_[at(out_.load->id)], out_.load->at, out_.axis,
                       kernel_.axes[at(out_.axis)].extent);
  }

  // By all pairs of bytes. false: g does not rise, or exponents depend on more than m - x.
  bool find_entries() {
    Kernel pairs = kernel_;
    const auto byte = [&] {
      const int axis = static_cast<int>(pairs.axes.size());
      pairs.axes.push_back({kEntries, AxisKind::parallel, {}});
      const Index number = Index::axis(axis, kEntries) + lowest(out_.load.type());
      return replaced(out_.of_byte, out_.load, Expr::cast(out_.load.type(), Expr::index(number)));
    };
    const int first = static_cast<int>(pairs.axes.size());
    const Expr x = byte(), m = byte();
    const HostTensor g = values_over(x, pairs, {first}, values_);
    for (int64_t k = 1; k < kEntries; ++k) {
      if (!(g.get(k - 1).number <= g.get(k).number)) return false;
    }
    const HostTensor all =
        values_over(Expr::unary(Unary::exp, x - m), pairs, {first, first + 1}, values_);
    double strays = 0;
    for (int64_t d = 0; d < kEntries; ++d) {
      double least = 1, greatest = 0;
      for (int64_t low = 0; low + d < kEntries; ++low) {
        const double one = all.get(low * kEntries + low + d).number;
        least = std::min(least, one);
        greatest = std::max(greatest, one);
      }
      const double entry = std::nearbyint(std::ldexp((least + greatest) / 2, kEntryBits));
      const double off = std::ldexp(entry, -kEntryBits);
      const double error = std::max(greatest - off, off - least) - kUnit;
      if (error > 0) strays = std::max(strays, error / std::max(least, kUnit));
      out_.entries.push_back(static_cast<int32_t>(entry));
    }
    // Machines with and without fused multiplications differ in the last bits of exp.
    out_.strays = strays + 4 * kUnit;
    return out_.entries[0] == 1 << kEntryBits && out_.strays < 0x1p-14;
  }

  void add_constants() {
    const auto constant = [&](const char* name, Type type, const std::vector<int64_t>& shape,
                              std::vector<std::byte> bytes) {
      return add_constant(values_, kernel_.name + name, type, shape,
                          make_constant(std::move(bytes)));
    };
    std::vector<int32_t> words;
    for (int k = 0; k < kEntries; ++k) {
      const int within = k % isa::kBytesAtOnce, block = k - within;
      const int place =
          block + within % isa::kByteLanes * isa::kByteVectors + within / isa::kByteLanes;
      words.push_back(out_.entries[at(kEntries - 1 - place)]);
    }
    std::vector<std::byte> bytes(words.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    out_.words = constant("/exponents", Type::i32,
                          {kEntries / isa::kBytesAtOnce, isa::kByteVectors, isa::kByteLanes},
                          std::move(bytes));
    for (int p = 0; p < kPlanes; ++p) {
      std::vector<std::byte> plane(kWindow);
      for (int k = 0; k < kEntries; ++k)
        plane[at(k)] = static_cast<std::byte>(out_.entries[at(kEntries - 1 - k)] >> (8 * p) & 255);
      out_.planes[p] = constant("/exponent_bytes", Type::u8, {kWindow}, std::move(plane));
    }
  }

  const Kernel& kernel_;
  std::vector<Value>& values_;
  ExponentRow out_;
};

// What positions stray in fixed point besides: a quarter for the factor (half of a unit of it, at
// an entry of 1), one for the product, which is rounded down, a half for the offset; one for the
// reach itself, which is cut off; and a unit that nothing needs.
constexpr double kFixedPoint = 4;

Expr word_of(int64_t number) { return Expr::constant(Type::i32, number); }

// What a share strays of itself: exponents and their sum, and what floats stray from both.
double strays_of(const ExponentRow& row, int64_t length) {
  const auto count = static_cast<double>(length);
  const double in_floats = count / 4 + count / 1024 + row.line.roundings + 32;
  return (2 * row.strays + (count + 1 + in_floats) * kUnit) * 1.01;
}

}  // namespace

std::optional<ExponentRow> find_exponent_row(const Kernel& kernel, std::vector<Value>& values) {
  return ExponentFinder(kernel, values).run();
}

ShareLine share_line(const ExponentRow& row, int64_t length, const Expr& factor, const Expr& offset,
                     const Expr& most) {
  const auto rounded = [](const Expr& one) {
    return Expr::cast(Type::i32, Expr::unary(Unary::round, one));
  };
  const double strays = strays_of(row, length);  // of the greatest share, which no other passes
  constexpr int kBits = isa::kLineFraction + 31 - kShift - kEntryBits;
  const Expr reach =
      Expr::cast(Type::i32, most * std::ldexp(strays, isa::kLineFraction) + kFixedPoint);
  return {word_of(kShift),
          rounded(factor * std::ldexp(1.0, kBits)),
          rounded(offset * std::ldexp(1.0, isa::kLineFraction)) + reach,
          reach + reach,
          word_of(row.line.least),
          word_of(row.line.greatest)};
}
Expr reach_of_entry(const ExponentRow& row, int64_t length, const Expr& word, const Expr& most) {
  constexpr double kOne = 1 << isa::kLineFraction;
  const Expr own =
      Expr::cast(Type::f32, word) * (strays_of(row, length) * kOne * std::ldexp(1.0, -kEntryBits));
  // Besides, half a unit of the entry, and of this.
  return Expr::cast(Type::i32, most * (own + 2 * kUnit * kOne) + (kFixedPoint + 1));
}
Expr sum_of_planes(const std::function<Expr(int plane)>& total) {
  Expr sum;
  for (int p = kPlanes; p-- > 0;) {
    const Expr part = Expr::cast(Type::f32, total(p)) * std::ldexp(1.0, 8 * p - kEntryBits);
    sum = sum ? sum + part : part;
  }
  return sum;
}
}  // namespace burin
