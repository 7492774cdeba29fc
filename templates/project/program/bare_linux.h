// How a test program talks to the outside on Hexagon Linux (qemu-hexagon) without a C library: its
// own entry point, system calls by trap0(#1) with the numbers of the generic Linux table (number in
// r6, arguments in r0 to r5, result in r0), and the three memory functions that compilers call.
// hosted.h is the same interface on a POSIX system.
#ifndef BURIN_PROGRAM_H
#define BURIN_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

// Defined by the program that includes this file; its result is the exit status.
extern "C" int program_main(int argc, char** argv);

static inline int32_t program_call(int32_t number, intptr_t a, intptr_t b, intptr_t c,
                                   int32_t d = 0, int32_t e = 0, int32_t f = 0) {
  register int32_t r0 __asm__("r0") = static_cast<int32_t>(a);
  register int32_t r1 __asm__("r1") = static_cast<int32_t>(b);
  register int32_t r2 __asm__("r2") = static_cast<int32_t>(c);
  register int32_t r3 __asm__("r3") = d;
  register int32_t r4 __asm__("r4") = e;
  register int32_t r5 __asm__("r5") = f;
  register int32_t r6 __asm__("r6") = number;
  __asm__ volatile("trap0(#1)"
                   : "+r"(r0)
                   : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6)
                   : "memory");
  return r0;
}

// A file descriptor, or a negative value.
static inline int program_open(const char* path) {
  return program_call(56, -100, reinterpret_cast<intptr_t>(path), 0);  // openat, O_RDONLY
}
static inline int program_create(const char* path) {
  // O_WRONLY | O_CREAT | O_TRUNC
  return program_call(56, -100, reinterpret_cast<intptr_t>(path), 01101, 0644);
}
static inline void program_close(int file) { (void)program_call(57, file, 0, 0); }

// Bytes read or written: fewer than asked only at the end of the file or after an error.
static inline size_t program_read(int file, void* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const int32_t n =
        program_call(63, file, reinterpret_cast<intptr_t>(to) + static_cast<intptr_t>(done),
                     static_cast<intptr_t>(bytes - done));
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}
static inline size_t program_write(int file, const void* from, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const int32_t n =
        program_call(64, file, reinterpret_cast<intptr_t>(from) + static_cast<intptr_t>(done),
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
  const int32_t at = program_call(222, 0, static_cast<intptr_t>(bytes), 3, 0x22, -1, 0);
  return static_cast<uint32_t>(at) >= 0xfffff000U ? nullptr : reinterpret_cast<void*>(at);
}

// A clock that only goes forward.
static inline uint64_t program_nanoseconds() {
  int32_t now[2] = {0, 0};  // seconds, nanoseconds
  (void)program_call(113, 1, reinterpret_cast<intptr_t>(now), 0);
  return static_cast<uint64_t>(now[0]) * 1000000000U + static_cast<uint64_t>(now[1]);
}

// A freestanding tree brings its own (BURIN_PROGRAM_HAS_MEMORY_FUNCTIONS).
#if !defined(BURIN_PROGRAM_HAS_MEMORY_FUNCTIONS)
// The attribute keeps the compiler from turning each loop into a call of the function that it is.
extern "C" __attribute__((no_builtin, weak)) void* memcpy(void* to, const void* from,
                                                          size_t bytes) {
  char* const out = static_cast<char*>(to);
  const char* const in = static_cast<const char*>(from);
  for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
  return to;
}
extern "C" __attribute__((no_builtin, weak)) void* memset(void* to, int value, size_t bytes) {
  char* const out = static_cast<char*>(to);
  for (size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(value);
  return to;
}
extern "C" __attribute__((no_builtin, weak)) void* memmove(void* to, const void* from,
                                                           size_t bytes) {
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

// The stack holds argc, then the argument pointers.
extern "C" __attribute__((used, noreturn)) void program_start(int32_t* stack) {
  const int status = program_main(stack[0], reinterpret_cast<char**>(stack + 1));
  (void)program_call(94, status, 0, 0);  // exit_group
  for (;;) {
  }
}
__asm__(".globl _start\n_start:\n{ r0 = r29 }\n{ call program_start }\n");

#endif  // BURIN_PROGRAM_H
