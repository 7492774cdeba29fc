// fp16: which tensors of floats are kept in sixteen bits, and which kernels compute in them.
//
// `storage` keeps tensors between kernels and weights as fp16; arithmetic stays in floats.
// `arithmetic` also computes in fp16 what gains by it and can bear it:
//
//   elements made of elements    in fp16: + - * / min max sign and comparisons, each rounded.
//                                Functions (exp, tanh, pow ...) are made in floats and rounded
//   sums                         in floats: fp16 has 11 bits, so the thousandth term of a sum of
//                                equals is half lost. Tiles of products, whose rate fp16 doubles,
//                                multiply and add a step of the depth in fp16, then add that to
//                                the float of the result (select/device/device_product.h)
//   what is made of sums         in floats: norms, softmax, means, the end of a convolution. It is
//                                rounded once, where it is stored
//
// The decision is about representation, not about a device's instructions: a kernel says by the
// types of its expressions what is fp16 (kernel/expr/expr.h), and the interpreter rounds where it
// says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"

namespace burin {

enum class Fp16Use : uint8_t { off, storage, arithmetic };

// A kernel that computes in fp16: operations per point that it does so, and those in f32.
struct Fp16Kernel {
  StepId step = kNoStep;
  int64_t fp16 = 0, f32 = 0;
  bool operator==(const Fp16Kernel&) const = default;
};

struct Fp16Plan {
  Fp16Use use = Fp16Use::off;
  std::vector<ValueId> stored;      // tensors that become fp16, ascending
  std::vector<std::string> kept;    // large tensors of floats that do not, and why
  std::vector<Fp16Kernel> kernels;  // in the order of the graph
  bool operator==(const Fp16Plan&) const = default;
};

// Refuses arithmetic on a device that has none in fp16.
Fp16Plan plan_fp16(const KernelGraph& graph, const Hardware& hardware, Fp16Use use);
KernelGraph apply_fp16(KernelGraph graph, const Fp16Plan& plan);

// The hardware, computing in fp16 and keeping panels of it only where that is asked for.
Hardware with_fp16(Hardware hardware, Fp16Use use);

// From the definition: what is wrong with a graph that became `after` by such a plan; empty:
// nothing.
std::string check_fp16(const Fp16Plan& plan, const KernelGraph& before, const KernelGraph& after);

std::string to_string(Fp16Use use);  // "storage"
std::string to_string(const Fp16Plan& plan, const KernelGraph& graph);

// --- The parts ---

// Tensors between kernels and weights of at least kLeastFp16Constant elements. Not those that
// something else than a kernel reads or writes, that kernels add to, or constants that fp16
// cannot hold as well as they hold any number: the largest must be in their range.
inline constexpr int64_t kLeastFp16Constant = 1024;
std::vector<ValueId> tensors_for_fp16(const KernelGraph& graph, std::vector<std::string>* kept);
void store_as_fp16(KernelGraph& graph, const std::vector<ValueId>& tensors);

// The kernel, computing in fp16 what may be; and how many of its operations are.
Kernel in_fp16(const Kernel& kernel, const std::vector<Value>& values);
// A float that is fp16 already, as such: one that was loaded or widened, or chosen among these.
std::optional<Expr> as_fp16(const Expr& expr);
int64_t fp16_operations(const Kernel& kernel);
int64_t float_operations(const Kernel& kernel);

}  // namespace burin
