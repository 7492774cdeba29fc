// Running a program.
#include "kernel/index/index_node.h"
#include "kernel/interpreter/interpreter_program.h"
#include "support/check.h"

namespace burin {
namespace {

// Wraps: an index that leaves 64 bits fails the bounds it has.
int64_t value_of(const Affine& affine, const AffineTerm* terms, const ScalarValue* r) {
  auto sum = static_cast<uint64_t>(affine.constant);
  const AffineTerm* term = terms + affine.first;
  for (int32_t i = 0; i < affine.count; ++i, ++term) {
    sum += static_cast<uint64_t>(term->coefficient) * static_cast<uint64_t>(r[term->from].integer);
  }
  return static_cast<int64_t>(sum);
}

[[noreturn]] void out_of_bounds(const Program& program, const ProgramAccess& access, int64_t index,
                                int64_t extent) {
  std::string point;
  for (size_t i = 0; i < 8 && i < program.registers.size(); ++i) {
    point += (i ? ", " : "") + std::to_string(program.registers[i].integer);
  }
  check_failed("access inside the value", __FILE__, __LINE__,
               access.what + ": index " + std::to_string(index) + " of extent " +
                   std::to_string(extent) + ", first registers " + point);
}

int64_t offset_of(const Program& program, const ProgramAccess& access, const ScalarValue* r) {
  const AffineTerm* terms = program.terms.data();
  for (const ProgramAccess::Bound& bound : access.bounds) {
    const int64_t index = value_of(bound.index, terms, r);
    if (static_cast<uint64_t>(index) >= static_cast<uint64_t>(bound.extent)) {
      out_of_bounds(program, access, index, bound.extent);
    }
  }
  return value_of(access.offset, terms, r);
}

ScalarValue load_let(const Program& program, const ProgramAccess& access, const ScalarValue* r) {
  const int64_t offset = offset_of(program, access, r);
  if (!access.computed[offset]) {
    check_failed("a let is read after it was computed", __FILE__, __LINE__, access.what);
  }
  return access.let[offset];
}

void check_range(const Range& range, int64_t value) {
  BURIN_CHECK(range.lo <= value && value <= range.hi,
              "data index " + std::to_string(value) + " outside its range [" +
                  std::to_string(range.lo) + ", " + std::to_string(range.hi) + "]");
}

}  // namespace

bool Program::run() {
  using Code = Instruction::Code;
  ScalarValue* r = registers.data();
  const Instruction* const begin = code.data();
  const Instruction* const end = begin + code.size();
  for (const Instruction* at = begin; at != end; ++at) {
    ScalarValue& to = r[at->to];
    const auto entry = static_cast<size_t>(at->entry);
    switch (at->code) {
      case Code::unary:
        to = at->unary(r[at->a]);
        break;
      case Code::binary:
        to = at->binary(r[at->a], r[at->b]);
        break;
      case Code::select:
        to = r[at->a].integer != 0 ? r[at->b] : r[at->c];
        break;
      case Code::fused:
        to = multiplied_and_added(r[at->a], r[at->b], r[at->c]);
        break;
      case Code::copy:
        to = r[at->a];
        break;
      case Code::affine:
        to.integer = value_of(affines[entry], terms.data(), r);
        break;
      case Code::wrap32:
        to.integer = static_cast<int32_t>(r[at->a].integer);
        break;
      case Code::multiply:
        to.integer = saturating_mul(r[at->a].integer, r[at->b].integer);
        break;
      case Code::floordiv:
        to.integer = floor_divide(r[at->a].integer, r[at->b].integer);
        break;
      case Code::mod:
        BURIN_CHECK(r[at->b].integer != 0, "modulo by zero in an index");
        to.integer = floor_modulo(r[at->a].integer, r[at->b].integer);
        break;
      case Code::min:
        to.integer = std::min(r[at->a].integer, r[at->b].integer);
        break;
      case Code::max:
        to.integer = std::max(r[at->a].integer, r[at->b].integer);
        break;
      case Code::in_range:
        check_range(ranges[entry], r[at->a].integer);
        break;
      case Code::load: {
        const ProgramAccess& access = accesses[entry];
        to = access.load(access.data, offset_of(*this, access, r));
        break;
      }
      case Code::let:
        to = load_let(*this, accesses[entry], r);
        break;
      case Code::offset:
        to.integer = offset_of(*this, accesses[entry], r);
        break;
      case Code::test: {
        const ProgramTest& test = tests[entry];
        const int64_t index = value_of(test.index, terms.data(), r);
        if (index < value_of(test.lo, terms.data(), r) ||
            index >= value_of(test.hi, terms.data(), r)) {
          at = begin + at->target - 1;
        }
        break;
      }
      case Code::jump:
        at = begin + at->target - 1;
        break;
      case Code::stop:
        return false;
    }
  }
  return true;
}

std::vector<int64_t> strides_of(const std::vector<int64_t>& extents) {
  std::vector<int64_t> strides(extents.size());
  int64_t stride = 1;
  for (size_t i = extents.size(); i-- > 0;) {
    strides[i] = stride;
    stride = saturating_mul(stride, extents[i]);
  }
  return strides;
}

}  // namespace burin
