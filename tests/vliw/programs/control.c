// Control: dense and sparse switches, computed jumps, recursion, variable arguments, function
// tables, structures by value, memory of the stack of any size, jumps out of functions, tail calls.
#include "program.h"

typedef u32 place[16];  // r16-r27, r29, r30, r31
int save(place p);
void restore(place p, int value);
__asm__(
    "\t.text\n\t.p2align 4\n\t.globl save\nsave:\n"
    "\t{ memd(r0+#0) = r17:16\n\t  memd(r0+#8) = r19:18 }\n"
    "\t{ memd(r0+#16) = r21:20\n\t  memd(r0+#24) = r23:22 }\n"
    "\t{ memd(r0+#32) = r25:24\n\t  memd(r0+#40) = r27:26 }\n"
    "\t{ memw(r0+#48) = r29\n\t  memw(r0+#52) = r30 }\n"
    "\t{ memw(r0+#56) = r31 }\n\t{ r0 = #0\n\t  jumpr r31 }\n"
    "\t.p2align 4\n\t.globl restore\nrestore:\n"
    "\t{ r17:16 = memd(r0+#0)\n\t  r19:18 = memd(r0+#8) }\n"
    "\t{ r21:20 = memd(r0+#16)\n\t  r23:22 = memd(r0+#24) }\n"
    "\t{ r25:24 = memd(r0+#32)\n\t  r27:26 = memd(r0+#40) }\n"
    "\t{ r29 = memw(r0+#48)\n\t  r30 = memw(r0+#52) }\n"
    "\t{ r31 = memw(r0+#56) }\n\t{ r0 = r1\n\t  jumpr r31 }\n");

static place out_of_here;
static u32 depth;
__attribute__((noinline)) static void dive(u32 n) {
  ++depth;
  if (n == 0) restore(out_of_here, (int)depth);
  dive(n - 1);
  depth += 100;
}

static s32 dense(u32 op, s32 a, s32 b) {
  switch (op) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return b != 0 ? a / b : 0;
    case 4:
      return a & b;
    case 5:
      return a | b;
    case 6:
      return a ^ b;
    case 7:
      return a << (b & 31);
    case 8:
      return a >> (b & 31);
    case 9:
      return a < b;
    case 10:
      return (s32)((u32)a >> (b & 31));
    case 11:
      return a == b ? 5 : -a;
    case 12:
      a += 3; /* fall through */
    case 13:
      return a ^ 0x55;
    default:
      return ~a;
  }
}
static s32 sparse(s32 key) {
  switch (key) {
    case -70000:
      return 1;
    case -5:
      return 2;
    case 0:
      return 3;
    case 17:
    case 18:
    case 19:
      return 4;
    case 1000:
      return 5;
    case 65536:
      return 6;
    case 0x7fffffff:
      return 7;
    default:
      return key & 15;
  }
}
static s32 interpret(const u8* code, s32 x) {
  static void* const labels[] = {&&halt, &&increment, &&twice, &&swap, &&loop, &&negate};
  s32 y = 1, turns = 9;
  const u8* at = code;
  goto* labels[*at++];
increment:
  ++x;
  goto* labels[*at++];
twice:
  x *= 2;
  goto* labels[*at++];
swap : {
  const s32 t = x;
  x = y;
  y = t;
}
  goto* labels[*at++];
loop:
  if (--turns > 0) at = code;
  goto* labels[*at++];
negate:
  x = -x ^ y;
  goto* labels[*at++];
halt:
  return x + 3 * y;
}
static u32 ackermann(u32 m, u32 n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
static u32 queens(u32 all, u32 columns, u32 left, u32 right) {
  if (columns == all) return 1;
  u32 count = 0;
  for (u32 free = all & ~(columns | left | right); free != 0; free &= free - 1) {
    const u32 bit = free & -free;
    count += queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}
static s64 sum_of(const char* kinds, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, kinds);
  s64 sum = 0;
  for (; *kinds != 0; ++kinds) {
    if (*kinds == 'i') sum = sum * 3 + __builtin_va_arg(list, int);
    if (*kinds == 'l') sum = sum * 5 + __builtin_va_arg(list, s64);
    if (*kinds == 's')
      for (const char* s = __builtin_va_arg(list, const char*); *s != 0; ++s) sum += *s;
  }
  __builtin_va_end(list);
  return sum;
}
struct triple {
  s32 a;
  s64 b;
  u8 c[21];
};
__attribute__((noinline)) static struct triple next(struct triple t, s32 by) {
  t.a += by;
  t.b = t.b * 3 - t.a;
  t.c[(u32)t.a % 21] ^= (u8)t.b;
  return t;
}
__attribute__((noinline)) static u32 on_stack(u32 n) {
  u8 memory[n];
  for (u32 i = 0; i < n; ++i) memory[i] = (u8)(i * 7);
  u32 sum = 0;
  for (volatile u8* p = memory + n; p != memory;) sum = sum * 3 + *--p;
  return n > 3 ? sum + on_stack(n / 2) : sum;
}
static s32 add(s32 a, s32 b) { return a + b; }
static s32 even(s32 n);
__attribute__((noinline)) static s32 odd(s32 n) { return n == 0 ? 0 : even(n - 1); }
__attribute__((noinline)) static s32 even(s32 n) { return n == 0 ? 1 : odd(n - 1); }
__attribute__((noinline)) static s64 many(s32 a, s64 b, s32 c, s64 d, s32 e, s64 f, u8 g, s16 h) {
  return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h;
}

void run(void) {
  u32 state = 5;
  u64 sum = 0;
  for (int i = 0; i < 200; ++i)
    sum = sum * 3 +
          (u32)dense(draw(&state) & 15, (s32)(draw(&state) << 9), (s32)draw(&state) - (1 << 23));
  show("dense", sum);
  static const s32 keys[] = {-70000, -5, 0, 17, 19, 1000, 65536, 0x7fffffff, 20, -1};
  for (u32 i = 0; i < 10; ++i) sum = sum * 3 + (u32)sparse(keys[i]);
  show("sparse", sum);
  static const u8 code[] = {1, 2, 3, 5, 2, 1, 4, 3, 0};
  show("interpreted", (u32)interpret(code, (s32)opaque(7)));
  show("ackermann", ackermann(2, opaque(9)));
  show("queens", queens(127, 0, 0, 0));
  show("variable", (u64)sum_of("ilsilis", 4, (s64)-5, "seven", 9, (s64)1 << 40, -3, "end"));
  struct triple t = {1, 2, {3}};
  for (s32 i = 0; i < 30; ++i) t = next(t, i);
  for (u32 i = 0; i < 21; ++i) sum = sum * 3 + t.c[i];
  show("by value", sum + (u64)t.b);
  show("on stack", on_stack(opaque(100)));
  s32 (*table[3])(s32, s32) = {add, opaque(1) ? add : 0, 0};
  show("called", (u32)table[opaque(1)](3, 4));
  show("even", (u32)even((s32)opaque(1001)));
  show("many", (u64)many(1, -2, 3, (s64)1 << 33, 5, 6, 7, -8));
  const int back = save(out_of_here);
  if (back == 0) dive(opaque(6));
  show("back", (u64)(u32)back << 32 | depth);
}
