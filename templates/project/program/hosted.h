// How a test program talks to the outside, on a POSIX system: program_main() is called with the
// arguments; files are read and written whole or in parts; memory comes in zeroed pages.
// bare_linux.h is the same interface for a machine without a C library.
#ifndef BURIN_PROGRAM_H
#define BURIN_PROGRAM_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// Defined by the program that includes this file; its result is the exit status.
extern "C" int program_main(int argc, char** argv);

// A file descriptor, or a negative value.
static inline int program_open(const char* path) { return open(path, O_RDONLY); }
static inline int program_create(const char* path) {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
}
static inline void program_close(int file) { (void)close(file); }

// Bytes read or written: fewer than asked only at the end of the file or after an error.
static inline size_t program_read(int file, void* to, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n = read(file, static_cast<char*>(to) + done, bytes - done);
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}
static inline size_t program_write(int file, const void* from, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n = write(file, static_cast<const char*>(from) + done, bytes - done);
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

// Zeroed memory aligned to a page, or null.
static inline void* program_memory(size_t bytes) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

// Takes pages away: every access to them ends the program.
static inline bool program_forbid(void* at, size_t bytes) {
  return mprotect(at, bytes, PROT_NONE) == 0;
}

// A clock that only goes forward.
static inline uint64_t program_nanoseconds() {
  timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000U + static_cast<uint64_t>(now.tv_nsec);
}

int main(int argc, char** argv) { return program_main(argc, argv); }

#endif  // BURIN_PROGRAM_H
