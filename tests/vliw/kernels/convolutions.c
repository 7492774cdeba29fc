/* Convolutions of unsigned bytes by signed bytes with vrmpy: GCD2's Table III and the first eight
   unique ones of ResNet-50 (its Figure 7). A row of pixels holds four channels of each pixel side by
   side, so that a vector is 32 pixels; planes of four channels follow one another. Four output
   channels of up to two vectors are summed in 32 bits, shifted and saturated to bytes, in the layout
   of the input. Padding belongs to the input. */
#include <hexagon_types.h>
#include <hvx_hexagon_protos.h>

typedef HVX_Vector vec;
typedef HVX_UVector uvec;
typedef HVX_VectorPair pair;
typedef unsigned char u8;

#define ROLLED _Pragma("clang loop unroll(disable)")
#define INLINE static inline __attribute__((always_inline))

struct shape {
  int in_width;             /* pixels of an input row, padding included; a multiple of 32 */
  int in_height;            /* input rows of one plane */
  int quads;                /* input channels / 4 */
  int outs;                 /* output channels / 4 */
  int out_width;            /* pixels of an output row; a multiple of 32 */
  int size, stride;         /* of the filter */
};

/* 32 pixels from pixel x on, or every second of 64. */
INLINE vec pixels(const u8 *row, int x, int size, int stride) {
  const u8 *at = row + 4 * x;
  if (stride == 1 && size == 1) return *(const vec *)at;
  if (stride == 1) return *(const uvec *)at;
  const uvec *both = (const uvec *)at;
  return Q6_V_lo_W(Q6_W_vdeal_VVR(both[1], both[0], -4));
}

INLINE vec to_bytes(vec a, vec b, vec c, vec d) {
  const vec even = Q6_Vh_vasr_VwVwR_sat(c, a, 7), odd = Q6_Vh_vasr_VwVwR_sat(d, b, 7);
  return Q6_Vub_vasr_VhVhR_rnd_sat(odd, even, 1);
}

/* `wide` vectors of `rows` output rows; weights[outs][size][size][quads][4 outs][4 channels]. */
INLINE void convolve(const u8 *in, const long long *weights, u8 *out, int rows, struct shape s, int wide) {
  const int row_bytes = 4 * s.in_width, plane = row_bytes * s.in_height;
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < s.out_width; x += 32 * wide) {
      const long long *w = weights;
      for (int k = 0; k < s.outs; k++) {
        vec sum[8];
        for (int i = 0; i < 4 * wide; i++) sum[i] = Q6_V_vzero();
        ROLLED for (int r = 0; r < s.size; r++) {
          ROLLED for (int t = 0; t < s.size; t++) {
            const u8 *row = in + (y * s.stride + r) * row_bytes + 4 * t;
            ROLLED for (int c = 0; c < s.quads; c++) {
              const long long u = *w++, v = *w++;
              for (int p = 0; p < wide; p++) {
                const vec a = pixels(row, s.stride * (x + 32 * p), s.size, s.stride);
                sum[4 * p + 0] = Q6_Vw_vrmpyacc_VwVubRb(sum[4 * p + 0], a, (int)u);
                sum[4 * p + 1] = Q6_Vw_vrmpyacc_VwVubRb(sum[4 * p + 1], a, (int)(u >> 32));
                sum[4 * p + 2] = Q6_Vw_vrmpyacc_VwVubRb(sum[4 * p + 2], a, (int)v);
                sum[4 * p + 3] = Q6_Vw_vrmpyacc_VwVubRb(sum[4 * p + 3], a, (int)(v >> 32));
              }
              row += plane;
            }
          }
        }
        for (int p = 0; p < wide; p++)
          *(vec *)(out + ((k * rows + y) * s.out_width + x + 32 * p) * 4) =
              to_bytes(sum[4 * p], sum[4 * p + 1], sum[4 * p + 2], sum[4 * p + 3]);
      }
    }
}

#define CONVOLUTION(name, wide, ...)                                          \
  void name(const u8 *in, const long long *weights, u8 *out, int rows) {      \
    const struct shape s = {__VA_ARGS__};                                     \
    convolve(in, weights, out, rows, s, wide);                                \
  }                                                                           \
  const struct shape name##_shape = {__VA_ARGS__};

/* Input width, input rows of two output rows, channels / 4, outputs / 4, width, filter, stride. */
CONVOLUTION(resnet_1_7x7_s2_3_64, 2, 288, 9, 1, 16, 128, 7, 2)
CONVOLUTION(resnet_2_1x1_64_64, 2, 64, 2, 16, 16, 64, 1, 1)
CONVOLUTION(resnet_3_3x3_64_64, 2, 96, 4, 16, 16, 64, 3, 1)
CONVOLUTION(resnet_4_1x1_64_256, 2, 64, 2, 16, 64, 64, 1, 1)
CONVOLUTION(resnet_5_1x1_256_64, 2, 64, 2, 64, 16, 64, 1, 1)
CONVOLUTION(resnet_6_1x1_256_128, 2, 64, 2, 64, 32, 64, 1, 1)
CONVOLUTION(resnet_7_3x3_s2_128_128, 1, 96, 5, 32, 32, 32, 3, 2)
CONVOLUTION(resnet_8_1x1_128_512, 1, 32, 2, 32, 128, 32, 1, 1)
CONVOLUTION(table3_3x3_128_128, 1, 64, 4, 32, 32, 32, 3, 1)
