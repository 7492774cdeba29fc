// Single precision: products of matrices, polynomials, roots, conversions, comparisons with and
// without numbers.
#include "program.h"

static u32 bits(float x) {
  u32 b;
  __builtin_memcpy(&b, &x, 4);
  return b;
}
static float of_bits(u32 b) {
  float x;
  __builtin_memcpy(&x, &b, 4);
  return x;
}
static float reciprocal(float x) {
  float r = of_bits(0x7ef311c7u - bits(x));
  for (int i = 0; i < 4; ++i) r = r * (2.0f - x * r);
  return r;
}
static float root(float x) {
  float r = of_bits(0x5f3759dfu - (bits(x) >> 1));
  for (int i = 0; i < 4; ++i) r = r * (1.5f - 0.5f * x * r * r);
  return x * r;
}
static float exponential(float x) {
  const s32 k = (s32)(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f));
  const float f = x - (float)k * 0.693147181f;
  float p = 1;
  for (int i = 8; i > 0; --i) p = p * f * reciprocal((float)i) + 1;
  return of_bits(bits(p) + ((u32)k << 23));
}
static u32 order(float a, float b) {
  return (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a != b) << 3 |
         (u32)(a > b) << 4 | (u32)(a >= b) << 5 | (u32)__builtin_isunordered(a, b) << 6;
}

void run(void) {
  static float a[12][12], b[12][12], c[12][12];
  u32 state = 9;
  u64 sum = 0;
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 12; ++k) {
      a[i][k] = (float)(s32)(draw(&state) - (1u << 23)) * 1e-6f;
      b[i][k] = (float)draw(&state) * 3e-7f;
    }
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 12; ++k)
      for (int j = 0; j < 12; ++j) c[i][k] += a[i][j] * b[j][k];
  for (int i = 0; i < 12; ++i)
    for (int k = 0; k < 12; ++k) sum = sum * 3 + bits(c[i][k]);
  show("matrix", sum);
  float largest = a[0][0], smallest = a[0][0], total = 0;
  for (int i = 0; i < 144; ++i) {
    const float x = a[0][i];
    largest = x > largest ? x : largest;
    smallest = x < smallest ? x : smallest;
    total += __builtin_fabsf(x);
  }
  show("range", (u64)bits(largest) << 32 | bits(smallest));
  show("total", bits(total));
  for (int i = 0; i < 144; ++i) {
    const float x = b[0][i] + 0.25f;
    sum = sum * 5 + bits(reciprocal(x)) + bits(root(x)) + bits(exponential(-x)) + bits(-x);
  }
  show("functions", sum);
  const u32 special[] = {0,          0x80000000u, 0x3f800000, 0xbf800000, 0x7f800000,
                         0xff800000, 0x7fc00000,  0x00000001, 0x7f7fffff, 0x4b000001};
  for (int i = 0; i < 10; ++i)
    for (int k = 0; k < 10; ++k)
      sum = sum * 3 + order(of_bits(opaque(special[i])), of_bits(opaque(special[k])));
  show("order", sum);
  for (int i = 0; i < 60; ++i) {
    const u64 wide = (u64)draw(&state) << 38 ^ (u64)draw(&state) << 14 ^ draw(&state);
    const float f = (float)wide, g = (float)(s64)(wide << 3), h = (float)(u32)wide;
    sum = sum * 7 + bits(f) + bits(g) + bits(h) + (u64)(f * 1e-3f) + (u64)(s64)(g * 1e-4f) +
          (u32)(h * 0.25f) + (u64)(s64)(s32)(g * 1e-12f);
  }
  show("converted", sum);
}
