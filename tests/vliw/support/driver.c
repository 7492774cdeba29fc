/* Runs every function of `functions` on random registers and memory and prints a checksum of all
   registers and all memory after each. Where `functions_apart` says so, each runs in a process of
   its own: what it does to memory is gone with it, and one that faults, or that takes more than a
   second of processor time, gets a line of ones. With `functions_in_pairs` two in a row start from
   the same registers and memory. Freestanding: traps are the only calls. */
typedef unsigned int u32;
typedef unsigned long long u64;
typedef void (*function)(void);

struct state {
  u32 r[28], p, usr, m[2];
  u32 v[32][32] __attribute__((aligned(128)));
  u32 q[4][32];
};

extern function functions[];
extern u32 function_count, functions_apart, functions_in_pairs;
void run_function(function f, struct state* s);

static struct state the_state __attribute__((aligned(128)));
static u32 memory[4096] __attribute__((aligned(128)));

static u32 system_call(u32 number, u32 a, u32 b, u32 c, u32 d) {
  register u32 r0 __asm__("r0") = a;
  register u32 r1 __asm__("r1") = b;
  register u32 r2 __asm__("r2") = c;
  register u32 r3 __asm__("r3") = d;
  register u32 r4 __asm__("r4") = 0;
  register u32 r6 __asm__("r6") = number;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r6) : "memory");
  return r0;
}

enum { kWrite = 64, kExit = 94, kTimer = 103, kClone = 220, kWait = 260, kEndOfChild = 17 };

static u64 seed;
static u32 draw(void) {
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (u32)(seed >> 32);
}

static u64 digest(u64 sum, const u32* words, u32 count) {
  for (u32 i = 0; i < count; i++) sum = (sum ^ words[i]) * 1099511628211ull;
  return sum;
}

static void print(u32 index, u64 a, u64 b) {
  char line[48];
  u32 n = 0;
  for (int shift = 20; shift >= 0; shift -= 4)
    line[n++] = "0123456789abcdef"[(index >> shift) & 15];
  line[n++] = ' ';
  for (int shift = 60; shift >= 0; shift -= 4) line[n++] = "0123456789abcdef"[(a >> shift) & 15];
  line[n++] = ' ';
  for (int shift = 60; shift >= 0; shift -= 4) line[n++] = "0123456789abcdef"[(b >> shift) & 15];
  line[n++] = '\n';
  system_call(kWrite, 1, (u32)line, n, 0);
}

static void run(u32 i) {
  struct state* s = &the_state;
  seed = 88172645463325252ull + (functions_in_pairs ? i & ~1u : i);
  u32* words = (u32*)s;
  for (u32 k = 0; k < sizeof *s / 4; k++) words[k] = draw();
  for (u32 k = 0; k < 4096; k++) memory[k] = draw();
  for (u32 k = 0; k < 16; k += 3) s->r[k] &= 0xff;
  u32 base = (u32)(memory + 2048);
  s->r[16] = base;
  s->r[17] = base + 4;
  s->r[18] = base + 128;
  s->r[19] = base - 8;
  s->r[24] = 8;
  s->r[25] = 16;
  s->m[0] = 8;
  s->m[1] = 128;
  s->usr = 0;
  run_function(functions[i], s);
  for (u32 k = 16; k < 20; k++) s->r[k] -= base; /* the same wherever memory lies */
  u64 registers = digest(14695981039346656037ull, words, sizeof *s / 4);
  print(i, registers, digest(14695981039346656037ull, memory, 4096));
}

static void run_apart(u32 i) {
  u32 child = system_call(kClone, kEndOfChild, 0, 0, 0);
  if (child == 0) {
    struct {
      u32 interval[2], seconds, microseconds;
    } limit = {{0, 0}, 1, 0};
    system_call(kTimer, 1, (u32)&limit, 0, 0); /* processor time, its signal ends the child */
    run(i);
    system_call(kExit, 0, 0, 0, 0);
  }
  u32 status = 0;
  if ((int)child < 0 || system_call(kWait, child, (u32)&status, 0, 0) != child)
    system_call(kExit, 1, 0, 0, 0);
  if (status != 0) print(i, ~0ull, ~0ull);
}

void start(void) {
  for (u32 i = 0; i < function_count; i++) {
    if (functions_apart)
      run_apart(i);
    else
      run(i);
  }
  system_call(kExit, 0, 0, 0, 0);
}
