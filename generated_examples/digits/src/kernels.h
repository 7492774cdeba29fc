// The kernels of this tree; each is defined in the file of its name in kernels/.
#ifndef digits_kernels_H
#define digits_kernels_H

#include <stddef.h>
#include <stdint.h>

namespace digits_kernels {

void conv_batch_normalization_add_493ab1dd(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, const float* __restrict x4, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch);
void conv_batch_normalization_add_relu_0d40c0fc(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, const float* __restrict x4, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch);
void conv_batch_normalization_relu_215f52ed(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch);
void conv_batch_normalization_relu_3da67fea(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, const int64_t n0);
void conv_batch_normalization_relu_adf3084a(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch);
void conv_batch_normalization_relu_e5ef14e9(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, const int64_t n0);
void conv_batch_normalization_relu_e6769754(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch);
void flatten_gemm_eee962ce(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, float* __restrict y0, const int64_t n0, uint8_t* __restrict scratch);
void global_average_pool_b6c07124(const float* __restrict x0, float* __restrict y0, const int64_t n0);
void softmax_35e86837(const float* __restrict x0, float* __restrict y0, const int64_t n0);

}  // namespace digits_kernels

#endif
