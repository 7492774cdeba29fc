// Halves: which tensors of floats are kept in sixteen bits, and which kernels compute in them.
//
// `storage` keeps tensors between kernels and weights as halves; arithmetic stays in floats.
// `arithmetic` also computes in halves what gains by it and can bear it:
//
//   elements made of elements    in halves: + - * / min max sign and comparisons, each rounded.
//                                Functions (exp, tanh, pow ...) are made in floats and rounded
//   sums                         in floats: a half has 11 bits, so the thousandth term of a sum of
//                                equals is half lost. Tiles of products, whose rate halves double,
//                                multiply and add a step of the depth in halves, then add that to
//                                the float of the result (select/device/device_product.h)
//   what is made of sums         in floats: norms, softmax, means, the end of a convolution. It is
//                                rounded once, where it is stored
//
// The decision is about representation, not about a device's instructions: a kernel says by the
// types of its expressions what is a half (kernel/expr/expr.h), and the interpreter rounds where it
// says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hardware/hardware.h"
#include "kernel/kernel.h"

namespace burin {

enum class HalfUse : uint8_t { off, storage, arithmetic };

// A kernel that computes in halves: operations per point that it does so, and those in floats.
struct HalfKernel {
  int position = 0;  // of its step, depth first
  int64_t halves = 0, floats = 0;
  bool operator==(const HalfKernel&) const = default;
};

struct HalfPlan {
  HalfUse use = HalfUse::off;
  std::vector<ValueId> stored;      // tensors that become halves, ascending
  std::vector<std::string> kept;    // large tensors of floats that do not, and why
  std::vector<HalfKernel> kernels;  // ascending
  bool operator==(const HalfPlan&) const = default;
};

// Refuses arithmetic on a device that has none in halves.
HalfPlan plan_halves(const KernelGraph& graph, const Hardware& hardware, HalfUse use);
KernelGraph apply_halves(KernelGraph graph, const HalfPlan& plan);

// The hardware, computing in halves only where that is asked for.
Hardware with_halves(Hardware hardware, HalfUse use);

// From the definition: what is wrong with a graph that became `after` by such a plan; empty:
// nothing.
std::string check_halves(const HalfPlan& plan, const KernelGraph& before, const KernelGraph& after);

std::string to_string(HalfUse use);  // "storage"
std::string to_string(const HalfPlan& plan, const KernelGraph& graph);

// --- The parts ---

// Tensors between kernels and weights of at least kLeastHalfConstant elements. Not those that
// something else than a kernel reads or writes, that kernels add to, or constants that halves
// cannot hold as well as they hold any number: the largest must be in their range.
inline constexpr int64_t kLeastHalfConstant = 1024;
std::vector<ValueId> tensors_for_halves(const KernelGraph& graph, std::vector<std::string>* kept);
void store_as_halves(KernelGraph& graph, const std::vector<ValueId>& tensors);

// The kernel, computing in halves what may be; and how many of its operations are.
Kernel in_halves(const Kernel& kernel, const std::vector<Value>& values);
// A float that is a half already, as such: one that was loaded or widened, or chosen among these.
std::optional<Expr> as_half(const Expr& expr);
int64_t half_operations(const Kernel& kernel);
int64_t float_operations(const Kernel& kernel);

}  // namespace burin
