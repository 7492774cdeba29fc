/* Kernels without HVX: integers, strings, memory, floating point. */
typedef unsigned char u8;
typedef short s16;
typedef unsigned u32;
#define LOOP _Pragma("clang loop unroll(disable)") for (int i = 0; i < n; i++)

void copy_w(const int *restrict a, int *restrict o, int n) { LOOP o[i] = a[i]; }
void copy_d(const long long *restrict a, long long *restrict o, int n) { LOOP o[i] = a[i]; }
void fill_w(int *o, int v, int n) { LOOP o[i] = v; }
void add_w(const int *restrict a, const int *restrict b, int *restrict o, int n) { LOOP o[i] = a[i] + b[i]; }
void saxpy_w(const int *restrict a, int x, int *restrict o, int n) { LOOP o[i] += a[i] * x; }
int dot_w(const int *a, const int *b, int n) { int s = 0; LOOP s += a[i] * b[i]; return s; }
int dot_h(const s16 *a, const s16 *b, int n) { int s = 0; LOOP s += a[i] * b[i]; return s; }
long long dot_d(const int *a, const int *b, int n) { long long s = 0; LOOP s += (long long)a[i] * b[i]; return s; }
int sum_b(const u8 *a, int n) { int s = 0; LOOP s += a[i]; return s; }
int max_w(const int *a, int n) { int s = a[0]; LOOP s = a[i] > s ? a[i] : s; return s; }
int count_positive(const int *a, int n) { int s = 0; LOOP s += a[i] > 0; return s; }
void relu_w(const int *restrict a, int *restrict o, int n) { LOOP o[i] = a[i] > 0 ? a[i] : 0; }
void clamp_b(const int *restrict a, u8 *restrict o, int n) { LOOP { int x = a[i]; x = x < 0 ? 0 : x; o[i] = (u8)(x > 255 ? 255 : x); } }
void table_b(const u8 *restrict a, const u8 *restrict t, u8 *restrict o, int n) { LOOP o[i] = t[a[i]]; }
int string_length(const char *s) { int n = 0; while (s[n] != 0) n++; return n; }
int string_compare(const char *a, const char *b) { while (*a != 0 && *a == *b) { a++; b++; } return *(const u8 *)a - *(const u8 *)b; }
char *string_copy(char *d, const char *s) { char *r = d; while ((*d++ = *s++) != 0) { } return r; }
int find_byte(const u8 *s, int c, int n) { LOOP if (s[i] == c) return i; return -1; }
u32 checksum(const u8 *s, int n) { u32 a = 1, b = 0; LOOP { a += s[i]; b += a; } return b << 16 | (a & 0xffff); }
u32 hash_fnv(const u8 *s, int n) { u32 h = 2166136261u; LOOP h = (h ^ s[i]) * 16777619u; return h; }
u32 crc(const u8 *s, const u32 *t, int n) { u32 c = ~0u; LOOP c = t[(c ^ s[i]) & 255] ^ c >> 8; return ~c; }
float sum_f(const float *a, int n) { float s = 0; LOOP s += a[i]; return s; }
float dot_f(const float *a, const float *b, int n) { float s = 0; LOOP s += a[i] * b[i]; return s; }
void axpy_f(const float *restrict a, float x, float *restrict o, int n) { LOOP o[i] += a[i] * x; }
void reverse_w(int *a, int n) { for (int i = 0, j = n - 1; i < j; i++, j--) { int t = a[i]; a[i] = a[j]; a[j] = t; } }
void sort_w(int *a, int n) { for (int i = 1; i < n; i++) { int x = a[i], j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; } }
void prefix_w(int *a, int n) { int s = 0; LOOP { s += a[i]; a[i] = s; } }
void matrix_4(const int *restrict a, const int *restrict b, int *restrict o) { for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) { int s = 0; for (int k = 0; k < 4; k++) s += a[4 * i + k] * b[4 * k + j]; o[4 * i + j] = s; } }
void transpose_w(const int *restrict a, int *restrict o, int n) { LOOP for (int j = 0; j < n; j++) o[j * n + i] = a[i * n + j]; }
int binary_search(const int *a, int x, int n) { int lo = 0, hi = n; while (lo < hi) { int m = (lo + hi) / 2; if (a[m] < x) lo = m + 1; else hi = m; } return lo; }
void histogram(const u8 *a, int *h, int n) { LOOP h[a[i]]++; }
u32 bits(const u32 *a, int n) { u32 s = 0; LOOP s += (u32)__builtin_popcount(a[i]); return s; }
