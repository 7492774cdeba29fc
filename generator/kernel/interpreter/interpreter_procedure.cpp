// Calls to runtime_min/procedures: the same code that an emitted tree runs.
//
// What a procedure writes may have extents that it determines itself: it gets a buffer for the most
// that its first argument, the capacity, allows, and the value takes the extents found.
#include <algorithm>

#include "kernel/index/index_node.h"
#include "kernel/interpreter/interpreter_steps.h"
#include "kernel/procedures/procedures.h"
#include "runtime_min/procedures/compress.h"
#include "runtime_min/procedures/copy_bits.h"
#include "runtime_min/procedures/determinant.h"
#include "runtime_min/procedures/inverse.h"
#include "runtime_min/procedures/keep_state.h"
#include "runtime_min/procedures/non_max_suppression.h"
#include "runtime_min/procedures/non_zero.h"
#include "runtime_min/procedures/read_numbers.h"
#include "runtime_min/procedures/stop_if.h"
#include "runtime_min/procedures/top_k.h"
#include "runtime_min/procedures/unique.h"
#include "runtime_min/procedures/write_numbers.h"
#include "support/check.h"
#include "support/diagnostics.h"

namespace burin {
namespace {

using ProcedureFunction = int32_t (*)(const burin_rt::ProcedureCall&);

struct Compress {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::compress<T>(call);
  }
};
struct CopyBits {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::copy_bits<T>(call);
  }
};
struct KeepState {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::keep_state<T>(call);
  }
};
struct NonZero {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::non_zero<T>(call);
  }
};
struct TopK {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::top_k<T>(call);
  }
};
struct Unique {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::unique<T>(call);
  }
};

struct ReadNumbers {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::read_numbers<T>(call);
  }
};
struct WriteNumbers {
  template <class T>
  static int32_t call(const burin_rt::ProcedureCall& call) {
    return burin_rt::write_numbers<T>(call);
  }
};

// Numbers that text is read as and written from: casts make the others of them.
template <class Of>
ProcedureFunction of_widest(Type type) {
  if (type == Type::f32) return &Of::template call<float>;
  if (type == Type::f64) return &Of::template call<double>;
  if (type == Type::i64) return &Of::template call<int64_t>;
  BURIN_CHECK(type == Type::u64, "an element type of a procedure");
  return &Of::template call<uint64_t>;
}

template <class Of>
ProcedureFunction of_type(Type type) {
  switch (type) {
    case Type::f16:
      return &Of::template call<burin_rt::F16>;
    case Type::bf16:
      return &Of::template call<burin_rt::BF16>;
    case Type::f32:
      return &Of::template call<float>;
    case Type::f64:
      return &Of::template call<double>;
    case Type::i8:
      return &Of::template call<int8_t>;
    case Type::i16:
      return &Of::template call<int16_t>;
    case Type::i32:
      return &Of::template call<int32_t>;
    case Type::i64:
      return &Of::template call<int64_t>;
    case Type::u8:
    case Type::boolean:
      return &Of::template call<uint8_t>;
    case Type::u16:
      return &Of::template call<uint16_t>;
    case Type::u32:
      return &Of::template call<uint32_t>;
    case Type::u64:
      return &Of::template call<uint64_t>;
    default:
      check_failed("an element type of a procedure", __FILE__, __LINE__,
                   std::string(to_string(type)));
  }
}

ProcedureFunction find_function(const Procedure& procedure) {
  if (procedure.function == "compress") return of_type<Compress>(procedure.element);
  if (procedure.function == "copy_bits") return of_type<CopyBits>(procedure.element);
  if (procedure.function == "keep_state") return of_type<KeepState>(procedure.element);
  if (procedure.function == "non_zero") return of_type<NonZero>(procedure.element);
  if (procedure.function == "read_numbers") return of_widest<ReadNumbers>(procedure.element);
  if (procedure.function == "write_numbers") return of_widest<WriteNumbers>(procedure.element);
  if (procedure.function == "top_k") return of_type<TopK>(procedure.element);
  if (procedure.function == "unique") return of_type<Unique>(procedure.element);
  if (procedure.function == "stop_if" && procedure.element == Type::boolean)
    return &burin_rt::stop_if<uint8_t>;
  if (procedure.function == "non_max_suppression" && procedure.element == Type::f32)
    return &burin_rt::non_max_suppression<float>;
  if (procedure.function == "determinant" && procedure.element == Type::f32)
    return &burin_rt::determinant<float>;
  if (procedure.function == "determinant" && procedure.element == Type::f64)
    return &burin_rt::determinant<double>;
  if (procedure.function == "inverse" && procedure.element == Type::f32)
    return &burin_rt::inverse<float>;
  if (procedure.function == "inverse" && procedure.element == Type::f64)
    return &burin_rt::inverse<double>;
  check_failed("a known procedure", __FILE__, __LINE__, procedure.function);
}

// The extents of what it writes, with the result at the most that the procedure may count to.
std::vector<int64_t> most_extents(const Procedure& procedure, const Value& value, int64_t capacity,
                                  const RunState& state) {
  std::vector<int64_t> extents;
  for (Dim dim : value.shape) {
    for (const Symbol& result : procedure.results)
      dim = dim.substitute_symbol(result->name, capacity);
    extents.push_back(state.evaluate(dim));
  }
  return extents;
}

// What it declares must be what it needs: emitted code takes its word for it.
int64_t scratch_needed(const Procedure& procedure, const std::vector<int64_t>& arguments) {
  const int64_t* const a = arguments.data();
  if (procedure.function == "non_zero") return burin_rt::non_zero_scratch_bytes(a);
  if (procedure.function == "top_k") return burin_rt::top_k_scratch_bytes(a);
  if (procedure.function == "unique") return burin_rt::unique_scratch_bytes(a);
  if (procedure.function == "non_max_suppression")
    return burin_rt::non_max_suppression_scratch_bytes(a);
  if (procedure.function == "determinant") return burin_rt::determinant_scratch_bytes(a);
  if (procedure.function == "inverse") return burin_rt::inverse_scratch_bytes(a);
  return 0;
}

bool has_result(const Procedure& procedure, const Value& value) {
  for (const Dim& dim : value.shape) {
    for (const Symbol& result : procedure.results) {
      if (dim.substitute_symbol(result->name, 0) != dim) return true;
    }
  }
  return false;
}

}  // namespace

void run_procedure(const Procedure& procedure, RunState& state) {
  const ProcedureFunction function = find_function(procedure);
  std::vector<int64_t> arguments, results(std::max<size_t>(procedure.results.size(), 1), 0);
  for (const Dim& argument : procedure.arguments) arguments.push_back(state.evaluate(argument));
  const int64_t capacity = arguments.empty() ? 0 : arguments[0];
  std::vector<const void*> reads;
  int64_t elements = 1;
  for (const ValueId id : procedure.reads) {
    if (id == kNoValue) {
      reads.push_back(nullptr);
      continue;
    }
    const TensorView view = state.view(id);
    int64_t count = 1;
    for (const int64_t extent : view.shape) count = saturating_mul(count, extent);
    elements = std::max(elements, count);
    reads.push_back(view.data);
  }
  state.charge(saturating_mul(elements, 64), 1);

  std::vector<void*> writes;
  std::vector<std::vector<std::byte>> open(procedure.writes.size());
  int64_t charged = 0;
  const auto allocate = [&](std::vector<std::byte>& bytes, int64_t size) {
    state.charge_bytes(size);
    charged += size;
    bytes.resize(static_cast<size_t>(std::max<int64_t>(size, 1)));
    return bytes.data();
  };
  for (size_t i = 0; i < procedure.writes.size(); ++i) {
    if (procedure.writes[i] == kNoValue) {
      writes.push_back(nullptr);
      continue;
    }
    const Value& value = state.value(procedure.writes[i]);
    if (!has_result(procedure, value)) {
      writes.push_back(state.writable(procedure.writes[i]).bytes.data());
      continue;
    }
    int64_t count = 1;
    for (const int64_t extent : most_extents(procedure, value, capacity, state))
      count = saturating_mul(count, extent);
    BURIN_CHECK(count < kUnbounded / 16, "extents of " + quoted(value.name));
    writes.push_back(allocate(open[i], size_bytes(value.type, count)));
  }
  std::vector<std::byte> scratch;
  const int64_t scratch_bytes = state.evaluate(procedure.scratch_bytes);
  BURIN_CHECK(scratch_bytes >= scratch_needed(procedure, arguments), procedure.function);
  void* const memory = allocate(scratch, scratch_bytes);
  const int32_t status =
      function({reads.data(), writes.data(), arguments.data(), results.data(), memory});
  if (status != burin_rt::kOk) {
    state.release_bytes(charged);
    throw RunStopped{kRunProcedure + status,
                     procedure.function + ": " + burin_rt::status_text(status)};
  }
  for (size_t i = 0; i < procedure.results.size(); ++i)
    state.set_symbol(procedure.results[i], results[i]);
  for (size_t i = 0; i < procedure.writes.size(); ++i) {
    if (procedure.writes[i] == kNoValue) continue;
    if (!has_result(procedure, state.value(procedure.writes[i]))) continue;
    HostTensor& to = state.writable(procedure.writes[i]);
    BURIN_CHECK(to.bytes.size() <= open[i].size());
    std::copy_n(open[i].begin(), to.bytes.size(), to.bytes.begin());
  }
  state.release_bytes(charged);
}

}  // namespace burin
