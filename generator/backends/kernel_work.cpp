#include "backends/kernel_work.h"

#include <algorithm>
#include <cmath>

#include "hardware/capabilities.h"
#include "isa/all_rows.h"
#include "isa/bit_rows.h"
#include "isa/bundles.h"
#include "isa/dot_rows.h"
#include "isa/matrix_rows.h"
#include "kernel/expr/expr_axes.h"
#include "kernel/sign_sums.h"

namespace burin {
int64_t WorkMeter::value(const Dim& dim) {
  if (dim.is_constant()) return dim.constant();
  if (const auto known = known_.find(&dim.node()); known != known_.end())
    return known->second.second;
  const int64_t value = compute(dim);
  known_.emplace(&dim.node(), std::pair(dim, value));
  return value;
}

// at_hints() rewrites an index to find its value, which thousands of long ones make slow. Wraps
// around where a size leaves 64 bits.
int64_t WorkMeter::compute(const Dim& dim) {
  const auto operand = [&](size_t i) { return value(dim.operands()[i]); };
  uint64_t sum = 0;
  switch (dim.kind()) {
    case IndexKind::floordiv:
    case IndexKind::mod: {
      const bool is_mod = dim.kind() == IndexKind::mod;
      const int64_t a = operand(0), b = operand(1);
      if (b == 0) return 0;
      if (b == -1) return is_mod ? 0 : static_cast<int64_t>(-static_cast<uint64_t>(a));
      const int64_t rest = a % b, shift = rest != 0 && (rest < 0) != (b < 0) ? 1 : 0;
      return is_mod ? rest + shift * b : a / b - shift;
    }
    case IndexKind::min:
    case IndexKind::max: {
      int64_t out = operand(0);
      for (size_t i = 1; i < dim.operands().size(); ++i)
        out = dim.kind() == IndexKind::min ? std::min(out, operand(i)) : std::max(out, operand(i));
      return out;
    }
    case IndexKind::polynomial:
      sum = static_cast<uint64_t>(dim.constant_term());
      for (const Index::Term& term : dim.terms()) {
        auto product = static_cast<uint64_t>(term.coefficient);
        for (const Index& atom : term.atoms) product *= static_cast<uint64_t>(value(atom));
        sum += product;
      }
      return static_cast<int64_t>(sum);
    default:
      return at_hints(dim);
  }
}

// The condition c * i + j < hi, where j counts to c: two axes that are digits of one, which ends
// before all of them are used.
std::optional<WorkMeter::Digits> WorkMeter::digits_of(const Condition& one, const Kernel& kernel) {
  const auto& terms = one.index.terms();
  if (terms.size() != 2 || one.index.constant_term() != 0 || !one.lo.is_constant(0))
    return std::nullopt;
  for (const size_t fine : {0, 1}) {
    const Index::Term &a = terms[1 - fine], &b = terms[fine];
    if (a.atoms.size() != 1 || b.atoms.size() != 1 || b.coefficient != 1 ||
        a.atoms[0].kind() != IndexKind::axis || b.atoms[0].kind() != IndexKind::axis)
      continue;
    const int i = a.atoms[0].axis_id(), j = b.atoms[0].axis_id();
    if (!kernel.axes[static_cast<size_t>(j)].extent.is_constant(a.coefficient)) continue;
    return Digits{i, j, extent(one.hi)};
  }
  return std::nullopt;
}

// Whether all that a sum of floats is made of is loaded as bf16.
bool WorkMeter::is_made_of_bf16(const Let& let) {
  bool all = let.accumulator[0] == Type::f32;
  visit(let.body[0], [&](const ExprNode& node) {
    all = all && node.kind != ExprKind::let &&
          (node.kind != ExprKind::load || node.storage == Type::bf16);
  });
  return all;
}

// Points of lets that sum products, of those that something is written at.
void WorkMeter::add_macs(const Kernel& kernel, KernelWork& work) {
  std::vector<Digits> digits;
  if (kernel.writes.size() == 1) {
    for (const Condition& one : kernel.writes[0].when) {
      if (const std::optional<Digits> pair = digits_of(one, kernel)) digits.push_back(*pair);
    }
  }
  for (const Let& let : kernel.lets) {
    if (let.op != Combiner::sum || let.body.size() != 1) continue;
    bool multiplies = false;
    visit(let.body[0], [&](const ExprNode& node) {
      multiplies = multiplies || (node.kind == ExprKind::binary && node.binary() == Binary::mul);
    });
    const bool signs = is_sum_of_signs(let);
    if (!multiplies && !signs) continue;
    int64_t points = 1;
    const auto along = [&](int axis) {
      return extent(kernel.axes[static_cast<size_t>(axis)].extent);
    };
    for (const auto& list : {let.over, let.reduced}) {
      for (const int axis : list) points *= along(axis);
    }
    for (const Digits& pair : digits) {
      const int64_t all = along(pair.coarse) * along(pair.fine);
      if (contains(let.over, pair.coarse) && contains(let.over, pair.fine) && all > 0)
        points = points / all * std::min(all, pair.points);
    }
    if (signs) points *= kSignsOfWord;
    work.macs += points;
    if (signs)
      work.sign_macs += points;
    else if (!is_float(let.accumulator[0]))
      work.byte_macs += points;
    else if (is_made_of_bf16(let))
      work.bf16_macs += points;
  }
}

int64_t WorkMeter::bytes_of(ValueId id) {
  const Value& value = graph_.values[static_cast<size_t>(id)];
  int64_t elements = 1;
  for (const Dim& dim : value.shape) elements *= extent(dim);
  return size_bytes(value.type, elements);
}

KernelWork WorkMeter::of(const Step& step) {
  KernelWork out;
  if (const Kernel* kernel = std::get_if<Kernel>(&step)) add_macs(*kernel, out);
  if (kernels_ != nullptr) {
    if (const auto known = kernels_->find(step.id); known != kernels_->end())
      out.computed = known->second.products;
  }
  for (const ValueId id : reads_of(step)) out.bytes_read += bytes_of(id);
  for (const ValueId id : writes_of(step)) out.bytes_written += bytes_of(id);
  return out;
}

namespace {

// Products that a core makes in a cycle, at most: of floats, by rows, of signs.
double float_peak(const Hardware& hardware) {
  if (has_device(hardware))
    return double{1} * hardware.opencl.compute_units * hardware.opencl.lanes;
  return double{1} * hardware.vector.fma_per_cycle * std::max(1, hardware.vector.vector_bytes / 4);
}
// Of a row that adds products to sums, when it starts; 0: it does not.
int64_t products_of(const isa::Instruction& row) {
  if (isa::adds_matrix(row)) return isa::products_of_matrix_row(row);
  const isa::BundleRow* bundle = isa::bundle_of(row);
  if (bundle == nullptr && !isa::is_dot_row(row)) return 0;
  return (bundle ? bundle->rows : 1) * product(row.values.back().shape).constant();
}
// Of products with sums of this type.
double row_peak(const Hardware& hardware, Type sum) {
  double out = float_peak(hardware);
  for (const RowTiming& timing : hardware.rows) {
    for (const isa::Instruction* row : isa::all_rows()) {
      if (!isa::is_named(*row, timing.instruction)) continue;
      const int64_t products = products_of(*row);
      if (products == 0 || row->values[0].type != sum) continue;
      out = std::max(out, static_cast<double>(products * timing.per_cycle) / row->operations);
    }
  }
  return out;
}
double sign_peak(const Hardware& hardware) {
  double out = float_peak(hardware);
  for (const RowTiming& timing : hardware.rows) {
    const int lanes = isa::bit_rows_of(timing.instruction).lanes_count;
    out = std::max(out, static_cast<double>(kSignsOfWord * lanes * hardware.vector.fma_per_cycle) /
                            timing.operations);
  }
  return out;
}

}  // namespace

double KernelWork::least_ns(const Hardware& hardware) const {
  const double ns_of_cycle = 1000.0 / hardware.clock_mhz;
  const auto cycles = [](int64_t products, double peak) {
    return static_cast<double>(products) / peak;
  };
  double arithmetic =
      computed * cycles(macs - byte_macs - bf16_macs - sign_macs, float_peak(hardware));
  if (byte_macs > 0) arithmetic += cycles(byte_macs, row_peak(hardware, Type::i32));
  if (bf16_macs > 0) arithmetic += cycles(bf16_macs, row_peak(hardware, Type::f32));
  if (sign_macs > 0) arithmetic += cycles(sign_macs, sign_peak(hardware));
  arithmetic *= ns_of_cycle;
  const double moved = static_cast<double>(bytes_read + bytes_written) * 1000.0 /
                       static_cast<double>(hardware.memory.bandwidth_mb_per_s);
  // A working set that a cache holds does not come from memory each time.
  const auto& caches = hardware.memory.caches;
  const bool cached = !caches.empty() && bytes_read + bytes_written <= caches.back().size_bytes;
  return cached ? arithmetic : std::max(arithmetic, moved);
}

int64_t KernelWork::least_cycles(const Hardware& hardware) const {
  return static_cast<int64_t>(std::ceil(least_ns(hardware) * hardware.clock_mhz / 1000.0));
}

}  // namespace burin
