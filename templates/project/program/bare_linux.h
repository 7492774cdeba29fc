// How a test program talks to the outside on Linux (qemu-user) without a C library: its own entry
// point, system calls, and the memory functions that compilers call. What differs by architecture
// is at the top: how a call is made, the numbers of the calls, and where a program starts.
// hosted.h is the same interface on a POSIX system.
#ifndef BURIN_PROGRAM_H
#define BURIN_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

// Defined by the program that includes this file; its result is the exit status.
extern "C" int program_main(int argc, char** argv);
// Called by the entry point with the stack as it was: argc, then the argument pointers.
extern "C" __attribute__((used, noreturn)) void program_start(intptr_t* stack);

#if defined(__hexagon__)
// trap0(#1), number in r6, arguments in r0 to r5, result in r0.
static inline intptr_t program_call(int32_t number, intptr_t a, intptr_t b, intptr_t c,
                                    intptr_t d = 0, intptr_t e = 0, intptr_t f = 0) {
  register intptr_t r0 __asm__("r0") = a;
  register intptr_t r1 __asm__("r1") = b;
  register intptr_t r2 __asm__("r2") = c;
  register intptr_t r3 __asm__("r3") = d;
  register intptr_t r4 __asm__("r4") = e;
  register intptr_t r5 __asm__("r5") = f;
  register int32_t r6 __asm__("r6") = number;
  __asm__ volatile("trap0(#1)"
                   : "+r"(r0)
                   : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6)
                   : "memory");
  return r0;
}
__asm__(".globl _start\n_start:\n{ r0 = r29 }\n{ call program_start }\n");

#elif defined(__riscv)
// ecall, number in a7, arguments in a0 to a5, result in a0.
static inline intptr_t program_call(int32_t number, intptr_t a, intptr_t b, intptr_t c,
                                    intptr_t d = 0, intptr_t e = 0, intptr_t f = 0) {
  register intptr_t a0 __asm__("a0") = a;
  register intptr_t a1 __asm__("a1") = b;
  register intptr_t a2 __asm__("a2") = c;
  register intptr_t a3 __asm__("a3") = d;
  register intptr_t a4 __asm__("a4") = e;
  register intptr_t a5 __asm__("a5") = f;
  register intptr_t a7 __asm__("a7") = number;
  __asm__ volatile("ecall"
                   : "+r"(a0)
                   : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
                   : "memory");
  return a0;
}
__asm__(
    ".globl _start\n_start:\n.option push\n.option norelax\nlla gp, __global_pointer$\n"
    ".option pop\nmv a0, sp\ncall program_start\n");

#elif defined(__arm__)
// svc 0, number in r7, arguments in r0 to r5, result in r0. In Thumb r7 may be the frame pointer,
// which an asm statement may not name.
extern "C" intptr_t program_arm_call(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e,
                                     intptr_t f, int32_t number);
static inline intptr_t program_call(int32_t number, intptr_t a, intptr_t b, intptr_t c,
                                    intptr_t d = 0, intptr_t e = 0, intptr_t f = 0) {
  return program_arm_call(a, b, c, d, e, f, number);
}
__asm__(
    ".syntax unified\n.text\n.thumb\n.p2align 1\n"
    ".globl program_arm_call\n.thumb_func\n.type program_arm_call, %function\nprogram_arm_call:\n"
    "push {r4, r5, r7, lr}\nldr r4, [sp, #16]\nldr r5, [sp, #20]\nldr r7, [sp, #24]\nsvc 0\n"
    "pop {r4, r5, r7, pc}\n"
    ".globl _start\n.thumb_func\n.type _start, %function\n_start:\n"
    "mov r0, sp\nbl program_start\n");

#else
#error "no system calls are known for this architecture"
#endif

#if defined(__arm__)
enum {
  kProgramOpenAt = 322,
  kProgramClose = 6,
  kProgramRead = 3,
  kProgramWrite = 4,
  kProgramMap = 192,
  kProgramClock = 403,
  kProgramExit = 248
};
#else  // the generic table; 32-bit RISC-V has only the clock of 64 bits
enum {
  kProgramOpenAt = 56,
  kProgramClose = 57,
  kProgramRead = 63,
  kProgramWrite = 64,
  kProgramMap = 222,
#if defined(__riscv_xlen) && __riscv_xlen == 32
  kProgramClock = 403,
#else
  kProgramClock = 113,
#endif
  kProgramExit = 94
};
#endif
#if defined(__hexagon__)
typedef int32_t program_seconds;
#else
typedef int64_t program_seconds;
#endif

// A file descriptor, or a negative value.
static inline int program_open(const char* path) {
  return static_cast<int>(
      program_call(kProgramOpenAt, -100, reinterpret_cast<intptr_t>(path), 0));  // O_RDONLY
}
static inline int program_create(const char* path) {
  // O_WRONLY | O_CREAT | O_TRUNC
  return static_cast<int>(
      program_call(kProgramOpenAt, -100, reinterpret_cast<intptr_t>(path), 01101, 0644));
}
static inline void program_close(int file) { (void)program_call(kProgramClose, file, 0, 0); }

// Bytes read or written: fewer than asked only at the end of the file or after an error.
static inline size_t program_read(int file, void* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const intptr_t n = program_call(kProgramRead, file,
                                    reinterpret_cast<intptr_t>(to) + static_cast<intptr_t>(done),
                                    static_cast<intptr_t>(bytes - done));
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}
static inline size_t program_write(int file, const void* from, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const intptr_t n = program_call(kProgramWrite, file,
                                    reinterpret_cast<intptr_t>(from) + static_cast<intptr_t>(done),
                                    static_cast<intptr_t>(bytes - done));
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

// Zeroed memory aligned to a page, or null.
static inline void* program_memory(size_t bytes) {
  // mmap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS; errors are the last page of
  // addresses
  const intptr_t at = program_call(kProgramMap, 0, static_cast<intptr_t>(bytes), 3, 0x22, -1, 0);
  return at < 0 && at >= -4096 ? nullptr : reinterpret_cast<void*>(at);
}

// Takes pages away: every access to them ends the program.
static inline bool program_forbid(void* at, size_t bytes) {
  // mmap, PROT_NONE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS
  return program_call(kProgramMap, reinterpret_cast<intptr_t>(at), static_cast<intptr_t>(bytes), 0,
                      0x32, -1, 0) == reinterpret_cast<intptr_t>(at);
}

// A clock that only goes forward.
static inline uint64_t program_nanoseconds() {
  program_seconds now[2] = {0, 0};  // seconds, nanoseconds
  (void)program_call(kProgramClock, 1, reinterpret_cast<intptr_t>(now), 0);
  return static_cast<uint64_t>(now[0]) * 1000000000U + static_cast<uint64_t>(now[1]);
}

// A freestanding tree brings its own (BURIN_PROGRAM_HAS_MEMORY_FUNCTIONS).
#if !defined(BURIN_PROGRAM_HAS_MEMORY_FUNCTIONS)
// The attribute keeps the compiler from turning each loop into a call of the function that it is.
#if defined(__clang__)
#define BURIN_PROGRAM_PLAIN __attribute__((no_builtin, weak))
#else
#define BURIN_PROGRAM_PLAIN __attribute__((optimize("no-tree-loop-distribute-patterns"), weak))
#endif
extern "C" BURIN_PROGRAM_PLAIN void* memcpy(void* to, const void* from, size_t bytes) {
  char* const out = static_cast<char*>(to);
  const char* const in = static_cast<const char*>(from);
  for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
  return to;
}
extern "C" BURIN_PROGRAM_PLAIN void* memset(void* to, int value, size_t bytes) {
  char* const out = static_cast<char*>(to);
  for (size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(value);
  return to;
}
extern "C" BURIN_PROGRAM_PLAIN void* memmove(void* to, const void* from, size_t bytes) {
  char* const out = static_cast<char*>(to);
  const char* const in = static_cast<const char*>(from);
  if (out <= in) {
    for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
  } else {
    for (size_t i = bytes; i > 0; --i) out[i - 1] = in[i - 1];
  }
  return to;
}

#endif

extern "C" void program_start(intptr_t* stack) {
  const int status = program_main(static_cast<int>(stack[0]), reinterpret_cast<char**>(stack + 1));
  (void)program_call(kProgramExit, status, 0, 0);  // of all threads
  for (;;) {
  }
}
#endif  // BURIN_PROGRAM_H
