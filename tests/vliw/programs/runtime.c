// What a program stands on without a library: its start, output, and the functions that compilers
// call for copies and for division. Packed like the programs.
#include "program.h"

__asm__(
    "\t.text\n\t.globl _start\n\t.p2align 4\n_start:\n"
    "\t{ r29 = and(r29,#-128) }\n\t{ call run }\n\t{ r6 = #94\n\t  r0 = #0 }\n\t{ trap0(#1) }\n");

void show(const char* what, u64 value) {
  char line[80];
  u32 n = 0;
  while (*what != 0 && n < 60) line[n++] = *what++;
  line[n++] = ' ';
  for (int shift = 60; shift >= 0; shift -= 4)
    line[n++] = "0123456789abcdef"[(value >> shift) & 15];
  line[n++] = '\n';
  register u32 r0 __asm__("r0") = 1;
  register u32 r1 __asm__("r1") = (u32)line;
  register u32 r2 __asm__("r2") = n;
  register u32 r6 __asm__("r6") = 64;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r6) : "memory");
}

void* memcpy(void* to, const void* from, u32 n) {
  volatile u8* t = to;
  const volatile u8* f = from;
  while (n-- > 0) *t++ = *f++;
  return to;
}
void* memmove(void* to, const void* from, u32 n) {
  volatile u8* t = to;
  const volatile u8* f = from;
  if (to <= from) return memcpy(to, from, n);
  while (n-- > 0) t[n] = f[n];
  return to;
}
void* memset(void* to, int value, u32 n) {
  volatile u8* t = to;
  while (n-- > 0) *t++ = (u8)value;
  return to;
}
void __hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void* to, const void* from, u32 n) {
  memcpy(to, from, n);
}

static u64 divide(u64 a, u64 b, u64* rest) {
  u64 quotient = 0, left = 0;
  for (int bit = 63; bit >= 0; --bit) {
    left = left << 1 | (a >> bit & 1);
    if (left < b) continue;
    left -= b;
    quotient |= 1ull << bit;
  }
  *rest = left;
  return quotient;
}
u64 __hexagon_udivdi3(u64 a, u64 b) { return divide(a, b, &a); }
u64 __hexagon_umoddi3(u64 a, u64 b) {
  divide(a, b, &a);
  return a;
}
static u64 size_of(s64 a) { return a < 0 ? -(u64)a : (u64)a; }
s64 __hexagon_divdi3(s64 a, s64 b) {
  u64 rest;
  const u64 quotient = divide(size_of(a), size_of(b), &rest);
  return (s64)((a < 0) != (b < 0) ? -quotient : quotient);
}
s64 __hexagon_moddi3(s64 a, s64 b) {
  u64 rest;
  divide(size_of(a), size_of(b), &rest);
  return (s64)(a < 0 ? -rest : rest);
}
u32 __hexagon_udivsi3(u32 a, u32 b) { return (u32)__hexagon_udivdi3(a, b); }
u32 __hexagon_umodsi3(u32 a, u32 b) { return (u32)__hexagon_umoddi3(a, b); }
s32 __hexagon_divsi3(s32 a, s32 b) { return (s32)__hexagon_divdi3(a, b); }
s32 __hexagon_modsi3(s32 a, s32 b) { return (s32)__hexagon_moddi3(a, b); }
