/* Trees of two releases in one program: each works with its own runtime. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "newer.h"
#include "older.h"

enum { kOk = 0, kOutOfRange = 6 };

static int failures = 0;

static void expect(const char* what, int32_t got, int32_t wanted) {
  if (got == wanted) return;
  printf("%s: status %d, expected %d\n", what, (int)got, (int)wanted);
  ++failures;
}

static void expect_text(const char* what, const char* text, size_t length) {
  if (strstr(text, "batch is -7, not from ") != NULL && strlen(text) == length) return;
  printf("%s explains: %s\n", what, text);
  ++failures;
}

int main(void) {
  static older_context one;
  static newer_context other;
  static float x[24], y[24], z[24];
  const older_dims of_one = {2, 3, 4}, no_dims = {-7, 3, 4};
  const newer_dims of_other = {2, 3, 4}, no_sizes = {-7, 3, 4};
  const older_inputs in_one = {x};
  const newer_inputs in_other = {x};
  older_outputs out_one = {y, z};
  newer_outputs out_other = {y, z};
  char text[200];
#ifdef OPENCL
  expect("older_init", older_init(&one, NULL, 0, NULL, 0), kOk);
  expect("newer_init", newer_init(&other, NULL, 0, NULL, 0), kOk);
#else
  static _Alignas(256) unsigned char arenas[2][4096];
  expect("older_init", older_init(&one, arenas[0], sizeof arenas[0], NULL, 0), kOk);
  expect("newer_init", newer_init(&other, arenas[1], sizeof arenas[1], NULL, 0), kOk);
#endif
  for (int i = 0; i < 3; ++i) {
    expect("older_run", older_run(&one, &of_one, &in_one, &out_one), kOk);
    expect("newer_run", newer_run(&other, &of_other, &in_other, &out_other), kOk);
  }
  expect("older_run of no size", older_run(&one, &no_dims, &in_one, &out_one), kOutOfRange);
  expect_text("older", text, older_explain(&one, kOutOfRange, text, sizeof text));
  expect("newer_run of no size", newer_run(&other, &no_sizes, &in_other, &out_other), kOutOfRange);
  expect_text("newer", text, newer_explain(&other, kOutOfRange, text, sizeof text));
#ifdef OPENCL
  older_release(&one);
  newer_release(&other);
#endif
  return failures != 0;
}
