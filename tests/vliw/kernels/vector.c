/* Kernels with HVX (128-byte vectors), rolled and unrolled, as a generator would write them. */
#include <hexagon_types.h>
#include <hvx_hexagon_protos.h>

typedef HVX_Vector vec;
typedef HVX_VectorPair pair;
typedef HVX_VectorPred pred;
#define LOOP _Pragma("clang loop unroll(disable)") for (int i = 0; i < n; i++)

/* GEMM inner loops: rows of activations against 4-byte weights. */
void gemm_vrmpy_1x1(const vec *a, const int *w, vec *o, int n) { vec s = Q6_V_vzero(); LOOP s = Q6_Vw_vrmpyacc_VwVubRb(s, a[i], w[i]); o[0] = s; }
void gemm_vrmpy_1x2(const vec *a, const int *w, vec *o, int n) { vec s = Q6_V_vzero(), t = s; LOOP { s = Q6_Vw_vrmpyacc_VwVubRb(s, a[i], w[2 * i]); t = Q6_Vw_vrmpyacc_VwVubRb(t, a[i], w[2 * i + 1]); } o[0] = s; o[1] = t; }
void gemm_vrmpy_1x4(const vec *a, const int *w, vec *o, int n) { vec s0 = Q6_V_vzero(), s1 = s0, s2 = s0, s3 = s0; LOOP { vec x = a[i]; s0 = Q6_Vw_vrmpyacc_VwVubRb(s0, x, w[4 * i]); s1 = Q6_Vw_vrmpyacc_VwVubRb(s1, x, w[4 * i + 1]); s2 = Q6_Vw_vrmpyacc_VwVubRb(s2, x, w[4 * i + 2]); s3 = Q6_Vw_vrmpyacc_VwVubRb(s3, x, w[4 * i + 3]); } o[0] = s0; o[1] = s1; o[2] = s2; o[3] = s3; }
void gemm_vrmpy_1x4_d(const vec *a, const long long *w, vec *o, int n) { vec s0 = Q6_V_vzero(), s1 = s0, s2 = s0, s3 = s0; LOOP { vec x = a[i]; long long u = w[2 * i], v = w[2 * i + 1]; s0 = Q6_Vw_vrmpyacc_VwVubRb(s0, x, (int)u); s1 = Q6_Vw_vrmpyacc_VwVubRb(s1, x, (int)(u >> 32)); s2 = Q6_Vw_vrmpyacc_VwVubRb(s2, x, (int)v); s3 = Q6_Vw_vrmpyacc_VwVubRb(s3, x, (int)(v >> 32)); } o[0] = s0; o[1] = s1; o[2] = s2; o[3] = s3; }
void gemm_vrmpy_2x2(const vec *a, const int *w, vec *o, int n) { vec s0 = Q6_V_vzero(), s1 = s0, s2 = s0, s3 = s0; LOOP { vec x = a[2 * i], y = a[2 * i + 1]; int u = w[2 * i], v = w[2 * i + 1]; s0 = Q6_Vw_vrmpyacc_VwVubRb(s0, x, u); s1 = Q6_Vw_vrmpyacc_VwVubRb(s1, x, v); s2 = Q6_Vw_vrmpyacc_VwVubRb(s2, y, u); s3 = Q6_Vw_vrmpyacc_VwVubRb(s3, y, v); } o[0] = s0; o[1] = s1; o[2] = s2; o[3] = s3; }
void gemm_vrmpy_2x4(const vec *a, const long long *w, vec *o, int n) { vec s[8]; for (int k = 0; k < 8; k++) s[k] = Q6_V_vzero(); LOOP { vec x = a[2 * i], y = a[2 * i + 1]; long long u = w[2 * i], v = w[2 * i + 1]; s[0] = Q6_Vw_vrmpyacc_VwVubRb(s[0], x, (int)u); s[1] = Q6_Vw_vrmpyacc_VwVubRb(s[1], x, (int)(u >> 32)); s[2] = Q6_Vw_vrmpyacc_VwVubRb(s[2], x, (int)v); s[3] = Q6_Vw_vrmpyacc_VwVubRb(s[3], x, (int)(v >> 32)); s[4] = Q6_Vw_vrmpyacc_VwVubRb(s[4], y, (int)u); s[5] = Q6_Vw_vrmpyacc_VwVubRb(s[5], y, (int)(u >> 32)); s[6] = Q6_Vw_vrmpyacc_VwVubRb(s[6], y, (int)v); s[7] = Q6_Vw_vrmpyacc_VwVubRb(s[7], y, (int)(v >> 32)); } for (int k = 0; k < 8; k++) o[k] = s[k]; }
void gemm_vmpa(const pair *a, const int *w, pair *o, int n) { pair s = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()); LOOP s = Q6_Wh_vmpaacc_WhWubRb(s, a[i], w[i]); o[0] = s; }
void gemm_vmpa_x2(const pair *a, const int *w, pair *o, int n) { pair s = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()), t = s; LOOP { s = Q6_Wh_vmpaacc_WhWubRb(s, a[i], w[2 * i]); t = Q6_Wh_vmpaacc_WhWubRb(t, a[i], w[2 * i + 1]); } o[0] = s; o[1] = t; }
void gemm_vmpy(const vec *a, const int *w, pair *o, int n) { pair s = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()); LOOP s = Q6_Wh_vmpyacc_WhVubRb(s, a[i], w[i]); o[0] = s; }
void gemm_vmpy_x2(const vec *a, const int *w, pair *o, int n) { pair s = Q6_W_vcombine_VV(Q6_V_vzero(), Q6_V_vzero()), t = s; LOOP { s = Q6_Wh_vmpyacc_WhVubRb(s, a[i], w[2 * i]); t = Q6_Wh_vmpyacc_WhVubRb(t, a[i], w[2 * i + 1]); } o[0] = s; o[1] = t; }
void gemm_vdmpy(const vec *a, const int *w, vec *o, int n) { vec s = Q6_V_vzero(); LOOP s = Q6_Vw_vdmpyacc_VwVhRh_sat(s, a[i], w[i]); o[0] = s; }
void gemm_vrmpy_vv(const vec *a, const vec *b, vec *o, int n) { vec s = Q6_V_vzero(); LOOP s = Q6_Vw_vrmpyacc_VwVbVb(s, a[i], b[i]); o[0] = s; }

/* Convolutions of 3x3 over rows; the names give channels, size and filter of the layer. */
void conv_vtmpy_row(const pair *a, int w, pair *o, int n) { pair s = o[0]; LOOP s = Q6_Wh_vtmpyacc_WhWubRb(s, a[i], w); o[0] = s; }
void conv_3x3_vrmpy(const vec *a, const int *w, vec *o, int n) { LOOP { vec s = Q6_V_vzero(); for (int k = 0; k < 9; k++) s = Q6_Vw_vrmpyacc_VwVubRb(s, a[i + k], w[k]); o[i] = s; } }
void conv_1x1_s1_64(const vec *a, const int *w, vec *o, int n) { LOOP { vec s = Q6_V_vzero(), t = s; for (int k = 0; k < 16; k++) { s = Q6_Vw_vrmpyacc_VwVubRb(s, a[16 * i + k], w[k]); t = Q6_Vw_vrmpyacc_VwVubRb(t, a[16 * i + k], w[16 + k]); } o[2 * i] = s; o[2 * i + 1] = t; } }
void depthwise_3(const vec *a, const int *w, pair *o, int n) { LOOP { pair s = Q6_Wh_vmpy_VubRb(a[i], w[0]); s = Q6_Wh_vmpyacc_WhVubRb(s, a[i + 1], w[1]); s = Q6_Wh_vmpyacc_WhVubRb(s, a[i + 2], w[2]); o[i] = s; } }
void depthwise_3x3(const vec *a, const vec *b, const vec *c, const int *w, pair *o, int n) { LOOP { pair s = Q6_Wh_vmpa_WubRb(Q6_W_vcombine_VV(a[i + 1], a[i]), w[0]); s = Q6_Wh_vmpaacc_WhWubRb(s, Q6_W_vcombine_VV(b[i + 1], b[i]), w[1]); s = Q6_Wh_vmpaacc_WhWubRb(s, Q6_W_vcombine_VV(c[i + 1], c[i]), w[2]); o[i] = s; } }

/* Requantise and elementwise. */
void requant(const vec *a, int m, int sh, vec *o, int n) { vec v = Q6_V_vsplat_R(m); LOOP { vec x = a[i]; vec e = Q6_Vw_vmpye_VwVuh(x, v); e = Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift(e, x, v); o[i] = Q6_Vw_vasr_VwR(e, sh); } }
void narrow_w_h(const pair *a, int sh, vec *o, int n) { LOOP o[i] = Q6_Vh_vasr_VwVwR_sat(Q6_V_hi_W(a[i]), Q6_V_lo_W(a[i]), sh); }
void narrow_h_ub(const pair *a, int sh, vec *o, int n) { LOOP o[i] = Q6_Vub_vasr_VhVhR_rnd_sat(Q6_V_hi_W(a[i]), Q6_V_lo_W(a[i]), sh); }
void add_u8(const vec *a, const vec *b, vec *o, int n) { LOOP o[i] = Q6_Vub_vadd_VubVub_sat(a[i], b[i]); }
void add_relu(const vec *a, const vec *b, vec *o, int n) { vec z = Q6_V_vzero(); LOOP o[i] = Q6_Vh_vmax_VhVh(Q6_Vh_vadd_VhVh_sat(a[i], b[i]), z); }
void add3_u8_h(const vec *a, const vec *b, const vec *c, pair *o, int n) { LOOP o[i] = Q6_Wh_vadd_WhWh(Q6_Wh_vadd_VubVub(a[i], b[i]), Q6_Wuh_vunpack_Vub(c[i])); }
void mul_h(const vec *a, const vec *b, vec *o, int n) { LOOP o[i] = Q6_Vh_vmpy_VhVh_s1_rnd_sat(a[i], b[i]); }
void clamp_h(const vec *a, int lo, int hi, vec *o, int n) { vec l = Q6_V_vsplat_R(lo), h = Q6_V_vsplat_R(hi); LOOP o[i] = Q6_Vh_vmin_VhVh(Q6_Vh_vmax_VhVh(a[i], l), h); }
void abs_diff(const vec *a, const vec *b, vec *o, int n) { LOOP o[i] = Q6_Vub_vabsdiff_VubVub(a[i], b[i]); }
void average(const vec *a, const vec *b, vec *o, int n) { LOOP o[i] = Q6_Vub_vavg_VubVub_rnd(a[i], b[i]); }
void select_gt(const vec *a, const vec *b, vec *o, int n) { LOOP { pred q = Q6_Q_vcmp_gt_VhVh(a[i], b[i]); o[i] = Q6_V_vmux_QVV(q, b[i], a[i]); } }
void hard_swish(const vec *a, int three, int six, vec *o, int n) { vec t = Q6_V_vsplat_R(three), s = Q6_V_vsplat_R(six), z = Q6_V_vzero(); LOOP { vec x = a[i]; vec y = Q6_Vh_vmin_VhVh(Q6_Vh_vmax_VhVh(Q6_Vh_vadd_VhVh(x, t), z), s); o[i] = Q6_Vh_vmpy_VhVh_s1_rnd_sat(x, y); } }
void scale_shift(const vec *a, const vec *b, const vec *c, vec *o, int n) { LOOP o[i] = Q6_Vh_vadd_VhVh_sat(Q6_Vh_vmpy_VhVh_s1_rnd_sat(a[i], b[i]), c[i]); }

/* Reductions, tables, movement. */
void sum_w(const vec *a, vec *o, int n) { vec s = Q6_V_vzero(); LOOP s = Q6_Vw_vadd_VwVw(s, a[i]); o[0] = s; }
void sum_u8(const vec *a, vec *o, int n) { vec s = Q6_V_vzero(); LOOP s = Q6_Vuw_vrmpyacc_VuwVubRub(s, a[i], 0x01010101); o[0] = s; }
void max_h(const vec *a, vec *o, int n) { vec s = a[0]; LOOP s = Q6_Vh_vmax_VhVh(s, a[i]); o[0] = s; }
void max_pool2(const vec *a, const vec *b, vec *o, int n) { LOOP o[i] = Q6_Vub_vmax_VubVub(Q6_Vub_vmax_VubVub(a[2 * i], a[2 * i + 1]), Q6_Vub_vmax_VubVub(b[2 * i], b[2 * i + 1])); }
void lut16(const vec *a, const vec *t, vec *o, int n) { vec t0 = t[0], t1 = t[1]; LOOP { vec y = Q6_Vb_vlut32_VbVbR(a[i], t0, 0); y = Q6_Vb_vlut32or_VbVbVbR(y, a[i], t0, 1); y = Q6_Vb_vlut32or_VbVbVbR(y, a[i], t1, 2); o[i] = Q6_Vb_vlut32or_VbVbVbR(y, a[i], t1, 3); } }
void interleave(const vec *a, const vec *b, pair *o, int n) { LOOP o[i] = Q6_W_vshuff_VVR(a[i], b[i], -1); }
void deinterleave(const pair *a, pair *o, int n) { LOOP o[i] = Q6_W_vdeal_VVR(Q6_V_hi_W(a[i]), Q6_V_lo_W(a[i]), -2); }
void transpose4(const vec *a, vec *o, int n) { LOOP { pair p = Q6_W_vshuff_VVR(a[4 * i + 1], a[4 * i], -4), q = Q6_W_vshuff_VVR(a[4 * i + 3], a[4 * i + 2], -4); pair r = Q6_W_vshuff_VVR(Q6_V_lo_W(q), Q6_V_lo_W(p), -8), s = Q6_W_vshuff_VVR(Q6_V_hi_W(q), Q6_V_hi_W(p), -8); o[4 * i] = Q6_V_lo_W(r); o[4 * i + 1] = Q6_V_hi_W(r); o[4 * i + 2] = Q6_V_lo_W(s); o[4 * i + 3] = Q6_V_hi_W(s); } }
void copy_v(const vec *a, vec *o, int n) { LOOP o[i] = a[i]; }
void copy_shifted(const vec *a, vec *o, int n) { vec x = a[0]; LOOP { vec y = a[i + 1]; o[i] = Q6_V_valign_VVR(y, x, 5); x = y; } }
void fill_v(vec *o, int v, int n) { vec x = Q6_V_vsplat_R(v); LOOP o[i] = x; }
