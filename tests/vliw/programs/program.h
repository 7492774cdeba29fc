// A freestanding program for the emulator: one `run` a file, whose numbers are printed by `show`.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

void run(void);
void show(const char* what, u64 value);  // "what 0123456789abcdef"

// A number that the compiler cannot know.
static inline u32 opaque(u32 value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

// The same numbers everywhere.
static inline u32 draw(u32* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}
