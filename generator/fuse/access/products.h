// Sums of products as fusions see them: which ones have tiles, and which of their factors is packed
// while generating.
#pragma once

#include <cstdint>
#include <vector>

#include "fuse/access/options.h"
#include "kernel/kernel.h"

namespace burin {

inline constexpr int64_t kLeastSize = 16;  // rows, columns and depth of a product that has tiles

// Of constants and indices alone. What a let holds is computed by the kernel.
bool is_constant(const Expr& expr, const std::vector<Value>& values);

// The form alone, of any type; whatever the factors are.
bool is_sum_of_products(const Let& let);
// That of floats.
bool is_float_sum_of_products(const Let& let);

// ... of two tensors of bf16 as they are stored.
bool is_bf16_sum_of_products(const Let& let);
// ... or 0 where guards do not hold.
bool is_load_of_bf16(const Expr& expr);
// Whether it is one, and the machine multiplies them faster than floats: by programs, which
// compute nothing on the way to a factor and have no loops behind their own.
bool multiplies_bf16(const Kernel& kernel, const std::vector<Value>& values,
                     const FuseOptions& options);
// Whether such a product would no longer be one, if it computed what a map does where it reads it.
bool hides_bf16(const Kernel& map, const Kernel& product, const std::vector<Value>& values,
                const FuseOptions& options);

// A sum of products whose factors run over different rows: a product of matrices, a convolution.
// The sum of a row weighted by constants is a reduction like others.
bool is_contraction(const Let& let, const std::vector<Value>& values);

// The axis along which neighbours of the result are neighbours in memory; -1: none.
int contiguous_axis(const Write& write, const std::vector<Value>& values);

bool loads(const Expr& expr, ValueId value);
bool loads(const Kernel& kernel, ValueId value);

// Points of a let's axes that are in `among`, or are not; kLeastSize stands for more.
int64_t points(const Kernel& kernel, const std::vector<int>& axes, const std::vector<int>& among,
               bool in);

// The only sum of products with constants, which all lets before it are reductions of rows for; -1:
// none.
int only_product(const Kernel& kernel, const std::vector<Value>& values);

// The factor of a sum of products that is packed while generating: constants of a known size, and
// about as many elements as they are stored as. Null: none is.
const Expr* packed_factor(const Kernel& kernel, const Let& sum, const std::vector<Value>& values);

}  // namespace burin
