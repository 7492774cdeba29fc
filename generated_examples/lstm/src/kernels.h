// The kernels of this tree; each is defined in the file of its name in kernels/.
#ifndef lstm_kernels_H
#define lstm_kernels_H

#include <stddef.h>
#include <stdint.h>

namespace lstm_kernels {

void lstm_5ecbbefb(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, float* __restrict y1, float* __restrict y2, const int64_t n0, const int64_t n1, uint8_t* __restrict scratch);
void lstm_6112335f(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, const float* __restrict x3, float* __restrict y0, float* __restrict y1, float* __restrict y2, const int64_t n0, const int64_t n1, uint8_t* __restrict scratch);
void lstm_fcef7580(const float* __restrict x0, const float* __restrict x1, const float* __restrict x2, float* __restrict y0, const int64_t n0, const int64_t n1, uint8_t* __restrict scratch);

}  // namespace lstm_kernels

#endif
