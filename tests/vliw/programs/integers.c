// Integers: checksums, ciphers and a hash of blocks, 64-bit products and quotients, bits,
// saturation, fields, primes, large numbers.
#include "program.h"

static u32 crc(const u8* data, u32 n) {
  u32 c = ~0u;
  while (n-- > 0) {
    c ^= *data++;
    for (int k = 0; k < 8; ++k) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
  }
  return ~c;
}
static void cipher(u32 v[2], const u32 key[4]) {
  u32 a = v[0], b = v[1], sum = 0;
  for (int i = 0; i < 32; ++i) {
    a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
    sum += 0x9e3779b9u;
    b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
  }
  v[0] = a;
  v[1] = b;
}
static u32 turn(u32 x, int n) { return x >> n | x << (32 - n); }
static void block(u32 h[8], const u8* data) {
  u32 w[64], s[8];
  for (int i = 0; i < 16; ++i)
    w[i] = (u32)data[4 * i] << 24 | data[4 * i + 1] << 16 | data[4 * i + 2] << 8 | data[4 * i + 3];
  for (int i = 16; i < 64; ++i) {
    const u32 a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
           (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
  }
  for (int i = 0; i < 8; ++i) s[i] = h[i];
  for (int i = 0; i < 64; ++i) {
    const u32 e = s[4], a = s[0];
    const u32 t = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                  w[i] + (0x428a2f98u * (u32)(2 * i + 1) ^ (u32)i << 20);
    const u32 u =
        (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t;
    s[0] = t + u;
  }
  for (int i = 0; i < 8; ++i) h[i] += s[i];
}
static u32 root(u64 x) {
  u32 r = 0;
  for (u32 bit = 1u << 31; bit != 0; bit >>= 1)
    if ((u64)(r | bit) * (r | bit) <= x) r |= bit;
  return r;
}
static u64 greatest(u64 a, u64 b) { return b == 0 ? a : greatest(b, a % b); }
static s32 clipped(s64 x) {
  return x > 0x7fffffff ? 0x7fffffff : x < -0x7fffffffll - 1 ? -0x7fffffff - 1 : (s32)x;
}

struct fields {
  u32 a : 5;
  s32 b : 11;
  u64 c : 37;
  s64 d : 3;
  u8 e;
};
static u32 large[40];
static void times(u32 factor, u32 plus) {
  u64 carry = plus;
  for (int i = 0; i < 40; ++i) {
    carry += (u64)large[i] * factor;
    large[i] = (u32)carry;
    carry >>= 32;
  }
}

void run(void) {
  u8 data[256];
  u32 state = 3;
  for (int i = 0; i < 256; ++i) data[i] = (u8)draw(&state);
  show("crc", crc(data, 255));
  u32 v[2] = {1, 2}, key[4] = {3, 5, 7, 11};
  for (int i = 0; i < 5; ++i) cipher(v, key);
  show("cipher", (u64)v[0] << 32 | v[1]);
  u32 h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < 4; ++i) block(h, data + 64 * i);
  for (int i = 0; i < 8; i += 2) show("hash", (u64)h[i] << 32 | h[i + 1]);
  u64 sum = 0;
  for (int i = 0; i < 40; ++i) {
    const u64 a = (u64)draw(&state) << 40 ^ (u64)draw(&state) << 20 ^ draw(&state);
    const u64 b = (a >> (draw(&state) & 31)) | 1;
    sum = sum * 3 + a / b + a % b + (u64)((s64)a / -(s64)b) + (u64)((s64)(a << 9) % (s64)(b << 3));
    sum += root(a) + greatest(a, b) + a * b;
    sum ^= (u64)__builtin_popcountll(a) << 8 ^ (u64)__builtin_clzll(b) << 16 ^
           (u64)__builtin_ctzll(b << 5) << 24;
    sum += __builtin_bitreverse64(a) ^ __builtin_bswap64(b) ^ (a << (b & 63)) ^
           (u64)((s64)a >> (a & 63));
    sum += (u32)((u32)a / ((u32)b | 1)) + (u32)((s32)a % ((s32)b | 1)) +
           (u64)clipped((s64)(a * 3) >> 20);
  }
  show("wide", sum);
  struct fields f = {0};
  for (u32 i = 0; i < 50; ++i) {
    f.a += i;
    f.b -= (s32)(i * f.a);
    f.c = f.c * 3 + (u32)f.b;
    f.d ^= (s64)f.c;
    f.e += (u8)f.d;
    sum = sum * 5 + f.a + (u64)(s64)f.b + f.c + (u64)f.d + f.e;
  }
  show("fields", sum);
  static u8 composite[2000];
  u32 primes = 0;
  for (u32 i = 2; i < 2000; ++i) {
    if (composite[i]) continue;
    ++primes;
    for (u32 k = i * i; k < 2000; k += i) composite[k] = 1;
  }
  show("primes", primes);
  large[0] = 1;
  for (u32 i = 2; i < 100; ++i) times(i, i & 1);
  for (int i = 0; i < 40; ++i) sum = sum * 7 + large[i];
  show("factorial", sum);
  s16 samples[64];
  s32 filtered = 0;
  for (int i = 0; i < 64; ++i) samples[i] = (s16)draw(&state);
  for (int i = 3; i < 64; ++i) {
    s64 acc = (s64)filtered << 10;
    for (int k = 0; k < 4; ++k) acc += (s64)samples[i - k] * (s32)(0x7000000 >> k);
    filtered = clipped(acc >> 12);
    sum = sum * 11 + (u32)filtered;
  }
  show("filter", sum);
}
