// How a test program talks to the outside on a processor of Arm's M profile that an emulator of a
// whole machine runs (qemu-system-arm): semihosting, a breakpoint that the emulator answers. The
// link flags of the description say where code lies and that .vectors is where the processor
// starts; arguments are lines behind the program's name (configs/README.md, `program`). hosted.h is
// the same interface on a POSIX system.
#ifndef BURIN_PROGRAM_H
#define BURIN_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'M'
#error "semihosting is known for the M profile of Arm"
#endif

// Defined by the program that includes this file; its result is the exit status.
extern "C" int program_main(int argc, char** argv);
extern "C" __attribute__((used, noreturn)) void program_start(void);
extern "C" uintptr_t program_ask(uint32_t number, const void* fields);
extern "C" char end[];  // behind all that was linked, by the linker

// The stack ends where 256 MB of memory do, zeroed memory is taken up to 32 MB below; every
// exception ends the program with the status of a signal. Floats are switched on (CPACR) before C++
// begins.
#define BURIN_PROGRAM_STACK "0x6ffff000"
static const uintptr_t kProgramMemoryEnd = 0x6e000000;
__asm__(
    ".syntax unified\n.section .vectors,\"a\"\n.globl program_vectors\nprogram_vectors:\n"
    ".word " BURIN_PROGRAM_STACK
    "\n.word _start\n.rept 14\n.word program_fault\n.endr\n"
    ".text\n.thumb\n.p2align 2\n"
    ".globl program_ask\n.thumb_func\n.type program_ask, %function\nprogram_ask:\n"
    "bkpt 0xab\nbx lr\n"
    ".globl _start\n.thumb_func\n.type _start, %function\n_start:\n"
    "ldr r0, =0xe000ed88\nldr r1, [r0]\norr r1, r1, #0xf00000\nstr r1, [r0]\ndsb\nisb\n"
    "ldr r0, =program_vectors\nbl program_start\n"
    ".thumb_func\n.type program_fault, %function\nprogram_fault:\n"
    "movs r0, #0x20\nldr r1, =program_fault_fields\nbkpt 0xab\nb program_fault\n.ltorg\n"
    ".p2align 2\nprogram_fault_fields:\n.word 0x20026, 139\n");

enum {
  kProgramOpen = 0x01,
  kProgramClose = 0x02,
  kProgramWrite = 0x05,
  kProgramRead = 0x06,
  kProgramCommandLine = 0x15,
  kProgramExit = 0x20,
  kProgramElapsed = 0x30
};

// Numbers of files that the emulator gives begin with 1, which is what is printed on POSIX.
static const int kProgramFirstFile = 2;

// `mode` counts fopen's: 1 "rb", 4 "w", 5 "wb".
static inline int program_open_as(const char* path, uintptr_t mode) {
  size_t length = 0;
  while (path[length] != 0) ++length;
  const uintptr_t fields[3] = {reinterpret_cast<uintptr_t>(path), mode, length};
  const int file = static_cast<int>(program_ask(kProgramOpen, fields));
  return file < 0 ? file : file + kProgramFirstFile;
}
static inline uintptr_t program_number(int file) {
  return static_cast<uintptr_t>(file - kProgramFirstFile);
}
// A file descriptor, or a negative value.
static inline int program_open(const char* path) { return program_open_as(path, 1); }
static inline int program_create(const char* path) { return program_open_as(path, 5); }
static inline void program_close(int file) {
  const uintptr_t fields[1] = {program_number(file)};
  (void)program_ask(kProgramClose, fields);
}

// Bytes read or written: fewer than asked only at the end of the file or after an error.
static inline size_t program_read(int file, void* to, size_t bytes) {
  const uintptr_t fields[3] = {program_number(file), reinterpret_cast<uintptr_t>(to), bytes};
  const uintptr_t left = program_ask(kProgramRead, fields);
  return left > bytes ? 0 : bytes - left;
}
static inline size_t program_write(int file, const void* from, size_t bytes) {
  static int terminal = -1;
  if (file == 1) {
    if (terminal < 0) terminal = program_open_as(":tt", 4);
    file = terminal;
  }
  const uintptr_t fields[3] = {program_number(file), reinterpret_cast<uintptr_t>(from), bytes};
  const uintptr_t left = program_ask(kProgramWrite, fields);
  return left > bytes ? 0 : bytes - left;
}

// Zeroed memory aligned to a page, or null.
static inline void* program_memory(size_t bytes) {
  static uintptr_t next = 0;
  const uintptr_t page = 4096;
  if (next == 0) next = (reinterpret_cast<uintptr_t>(end) + page - 1) / page * page;
  const uintptr_t at = next;
  if (bytes > kProgramMemoryEnd - at) return nullptr;
  next = at + (bytes + page - 1) / page * page;
  return reinterpret_cast<void*>(at);
}

// There are no pages.
static inline bool program_forbid(void*, size_t) { return false; }

// A clock that only goes forward.
static inline uint64_t program_nanoseconds() {
  uint64_t now = 0;
  (void)program_ask(kProgramElapsed, &now);
  return now;
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

// Lines of the command: the program, then its arguments.
extern "C" void program_start(void) {
  static char line[16384];
  static char* arguments[64];
  uintptr_t asked[2] = {reinterpret_cast<uintptr_t>(line), sizeof line};
  int count = 0;
  if (program_ask(kProgramCommandLine, asked) == 0) {
    arguments[count++] = line;
    for (char* at = line; *at != 0; ++at) {
      if (*at != '\n') continue;
      *at = 0;
      if (count < 63) arguments[count++] = at + 1;
    }
  }
  const int status = program_main(count, arguments);
  const uintptr_t fields[2] = {0x20026, static_cast<uintptr_t>(status)};  // the application ends
  (void)program_ask(kProgramExit, fields);
  for (;;) {
  }
}
#endif  // BURIN_PROGRAM_H
