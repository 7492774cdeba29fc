// HVX through intrinsics and through vectorised loops: predicates, permutations, look-ups,
// alignments, conditional and unaligned accesses, widening sums, scans, loops in loops.
#include <hexagon_types.h>
#include <hvx_hexagon_protos.h>

#include "program.h"

static u8 bytes[2048] __attribute__((aligned(128)));
static s16 halves[1024] __attribute__((aligned(128)));
static s32 words[512] __attribute__((aligned(128)));
static u8 results[2048] __attribute__((aligned(128)));

static u64 digest(const void* from, u32 n) {
  u64 sum = 14695981039346656037ull;
  for (const u8* p = from; n-- > 0; ++p) sum = (sum ^ *p) * 1099511628211ull;
  return sum;
}
static void show_vectors(const char* what, const HVX_Vector* v, u32 n) {
  show(what, digest(v, n * 128));
}

__attribute__((noinline)) static void compares(const HVX_Vector* v, HVX_Vector* out) {
  const HVX_VectorPred above = Q6_Q_vcmp_gt_VubVub(v[0], v[1]);
  const HVX_VectorPred same = Q6_Q_vcmp_eqand_QVbVb(above, v[2], v[3]);
  out[0] = Q6_V_vmux_QVV(Q6_Q_or_QQ(above, same), v[2], v[3]);
  out[1] = Q6_Vb_condacc_QVbVb(Q6_Q_not_Q(above), v[1], v[0]);
  out[2] = Q6_V_vand_QR(Q6_Q_xor_QQ(above, Q6_Q_vsetq_R((s32)opaque(37))), 0x01030507);
  Q6_vmem_QRIV(above, &out[3], v[1]);
  out[4] = Q6_Vw_prefixsum_Q(above);
}
__attribute__((noinline)) static void permutes(const HVX_Vector* v, HVX_Vector* out, u32 by) {
  const HVX_VectorPair dealt = Q6_W_vdeal_VVR(v[0], v[1], -4);
  const HVX_VectorPair mixed = Q6_W_vshuff_VVR(Q6_V_lo_W(dealt), Q6_V_hi_W(dealt), (s32)by & -2);
  out[0] = Q6_V_lo_W(mixed);
  out[1] = Q6_V_hi_W(mixed);
  out[2] = Q6_V_valign_VVR(v[1], v[0], (s32)by);
  out[3] = Q6_V_vror_VR(v[2], (s32)by);
  out[4] = Q6_V_vdelta_VV(v[0], v[3]);
  out[5] = Q6_Vb_vlut32_VbVbI(v[0], v[1], 1);
  out[6] = Q6_Vb_vpacke_VhVh(v[2], v[3]);
  const HVX_VectorPair wide = Q6_Wuh_vunpack_Vub(v[3]);
  out[7] = Q6_Vub_vasr_VhVhR_rnd_sat(Q6_V_hi_W(wide), Q6_V_lo_W(wide), 3);
}
__attribute__((noinline)) static void products(const HVX_Vector* v, HVX_Vector* out, s32 n) {
  HVX_Vector sum = Q6_V_vzero();
  HVX_VectorPair wide = Q6_W_vcombine_VV(sum, sum);
  for (s32 i = 0; i < n; ++i) {
    sum = Q6_Vw_vrmpyacc_VwVubRb(sum, v[i & 3], words[i]);
    wide = Q6_Wh_vmpaacc_WhWubRb(wide, Q6_W_vcombine_VV(v[(i + 1) & 3], v[i & 3]), words[i + 1]);
    if (words[i] > 0) wide = Q6_Wh_vadd_WhWh(wide, Q6_Wh_vmpy_VbVb(v[i & 1], v[2]));
  }
  out[0] = sum;
  out[1] = Q6_V_lo_W(wide);
  out[2] = Q6_V_hi_W(wide);
  for (s32 rows = 0; rows < 3; ++rows) {
    for (s32 i = 0; i < n; ++i) out[3 + rows] = Q6_Vh_vadd_VhVh(out[3 + rows], v[(i + rows) & 3]);
  }
}
static void loops(u32 n) {
  for (u32 i = 0; i < n; ++i)
    results[i] = (u8)(bytes[i] > bytes[n - i] ? bytes[i] * 3 : bytes[i] + 7);
  for (u32 i = 0; i < n; ++i) halves[i] = (s16)(halves[i] * 5 - bytes[i]);
  for (u32 i = 0; i + 1 < n / 2; ++i) words[i] += halves[i] * halves[i + 1] + words[i + 1];
}

void run(void) {
  static HVX_Vector out[16], in[4];
  u32 state = 11;
  for (u32 i = 0; i < sizeof bytes; ++i) bytes[i] = (u8)draw(&state);
  for (u32 i = 0; i < 1024; ++i) halves[i] = (s16)draw(&state);
  for (u32 i = 0; i < 512; ++i) words[i] = (s32)(draw(&state) << 8);
  for (u32 i = 0; i < sizeof in; ++i) ((u8*)in)[i] = bytes[i * 3 % 2048];
  compares(in, out);
  show_vectors("compares", out, 5);
  for (u32 by = 1; by < 128; by += 41) {
    permutes(in, out, by);
    show_vectors("permutes", out, 8);
  }
  for (s32 n = 0; n < 20; n += 3) {
    products(in, out, n);
    show_vectors("products", out, 6);
  }
  for (u32 k = 1; k < 200; k += 63) {
    typedef HVX_Vector unaligned __attribute__((aligned(4)));
    *(unaligned*)(results + k) = *(const unaligned*)(bytes + 2 * k);
  }
  show("unaligned", digest(results, sizeof results));
  loops(opaque(777));
  show("loops", digest(results, sizeof results));
  show("halves", digest(halves, sizeof halves));
  show("words", digest(words, sizeof words));
}
