/* The digits network under one thread, under pools of 1, 2 and 4, and under callers that break what
   a parallel_for promises: threads WEIGHTS IMAGES. Every result must have the same bits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "digits_threads.h"

/* So many times those of the file that calls of several threads pack rows in blocks. */
enum { kInFile = 450, kImages = 3 * kInFile, kPixels = 64, kClasses = 10 };
enum { kOk = 0, kParallelForBroken = 13 };

static int failures = 0;
static int loops = 0; /* that a network asked the caller to share */

static void expect(const char* what, int32_t got, int32_t wanted) {
  if (got == wanted) return;
  printf("%s: status %d (%s), expected %d\n", what, (int)got, digits_strerror(got), (int)wanted);
  ++failures;
}

static void* read_file(const char* path, size_t bytes) {
  void* memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  FILE* file = fopen(path, "rb");
  if (memory == NULL || file == NULL || fread(memory, 1, bytes, file) != bytes) exit(2);
  fclose(file);
  return memory;
}

static void counted(void* pool, int64_t n, digits_body body, void* data) {
  ++loops;
  digits_threads_parallel_for(pool, n, body, data);
}
static void does_nothing(void* user, int64_t n, digits_body body, void* data) {
  (void)user, (void)n, (void)body, (void)data;
}
static void leaves_one_out(void* user, int64_t n, digits_body body, void* data) {
  (void)user;
  body(data, 1, n, 0);
}
static void goes_too_far(void* user, int64_t n, digits_body body, void* data) {
  (void)user;
  body(data, 0, n + 1, 0);
}
static void one_worker_too_many(void* user, int64_t n, digits_body body, void* data) {
  (void)user;
  body(data, 0, n, DIGITS_WORKERS);
}
static void backwards(void* user, int64_t n, digits_body body, void* data) {
  (void)user;
  for (int64_t i = n; i-- > 0;) body(data, i, i + 1, (int32_t)(i % DIGITS_WORKERS));
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const uint8_t* weights = (const uint8_t*)read_file(argv[1], DIGITS_WEIGHTS_BYTES);
  const uint8_t* pixels = (const uint8_t*)read_file(argv[2], kInFile * kPixels);
  static float images[kImages * kPixels], wanted[kImages * kClasses], got[kImages * kClasses];
  for (int i = 0; i < kImages * kPixels; ++i)
    images[i] = (float)pixels[i % (kInFile * kPixels)] / 16.0f;
  const digits_inputs in = {images};

  for (int64_t batch = 1; batch <= kImages; batch += kImages - 1) {
    const digits_dims dims = {batch};
    const size_t bytes = digits_arena_bytes(&dims);
    uint8_t* arena = (uint8_t*)aligned_alloc(DIGITS_ARENA_ALIGN, bytes);
    const size_t size = (size_t)batch * kClasses * sizeof(float);
    digits_outputs out = {wanted};
    digits_context context;
    if (arena == NULL) return 2;
    memset(&context, 0xA5, sizeof context);
    expect("init", digits_init(&context, arena, bytes, weights, DIGITS_WEIGHTS_BYTES), kOk);
    if (context.parallel_for != NULL || context.parallel_user != NULL) ++failures;
    expect("one thread", digits_run(&context, &dims, &in, &out), kOk);
    out.probabilities = got;
    for (int32_t workers = 1; workers <= DIGITS_WORKERS; workers *= 2) {
      digits_threads* pool = digits_threads_create(workers);
      if (pool == NULL) return 2;
      context.parallel_for = counted;
      context.parallel_user = pool;
      for (int round = 0; round < 3; ++round) {
        memset(arena, round, bytes);
        memset(got, 0, sizeof got);
        expect("pool", digits_run(&context, &dims, &in, &out), kOk);
        if (memcmp(wanted, got, size) != 0) {
          printf("batch %d, %d threads: other bits\n", (int)batch, (int)workers);
          ++failures;
        }
      }
      digits_threads_destroy(pool);
    }
    context.parallel_user = NULL;
    context.parallel_for = backwards;
    memset(got, 0, sizeof got);
    expect("backwards", digits_run(&context, &dims, &in, &out), kOk);
    if (memcmp(wanted, got, size) != 0) ++failures;
    if (batch > 1) {
      static const digits_parallel_for broken[] = {does_nothing, leaves_one_out, goes_too_far,
                                                   one_worker_too_many};
      for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        context.parallel_for = broken[i];
        expect("broken", digits_run(&context, &dims, &in, &out), kParallelForBroken);
      }
      context.parallel_for = NULL;
      expect("one thread again", digits_run(&context, &dims, &in, &out), kOk);
      if (memcmp(wanted, got, size) != 0) ++failures;
    }
    free(arena);
  }
  if (DIGITS_WORKERS < 4 || loops == 0) {
    printf("%d workers, %d shared loops: nothing was tested\n", DIGITS_WORKERS, loops);
    ++failures;
  }
  printf("%d shared loops, %d failures\n", loops, failures);
  return failures == 0 ? 0 : 1;
}
