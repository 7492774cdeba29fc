/* Calls the network "product" (batch, rows up to 64, cols) wrongly in every way that its interface
   names, and rightly in between: misuse WEIGHTS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "product.h"

enum { kOk = 0, kNull = 1, kSmall = 2, kMisaligned = 3, kWrongSize = 4, kCorrupt = 5, kRange = 6 };
enum { kInvalid = 10, kNotInitialised = 11 };

static int failures = 0;

static void expect(const char* what, int32_t got, int32_t wanted) {
  if (got == wanted && strcmp(product_strerror(got), "unknown status") != 0) return;
  printf("%s: status %d (%s), expected %d\n", what, (int)got, product_strerror(got), (int)wanted);
  ++failures;
}

static uint8_t* aligned(size_t bytes) {
  uint8_t* memory = (uint8_t*)malloc(bytes + 2 * PRODUCT_ARENA_ALIGN);
  if (memory == NULL) exit(2);
  return memory + (PRODUCT_ARENA_ALIGN - (uintptr_t)memory % PRODUCT_ARENA_ALIGN);
}

static uint8_t* read_weights(const char* path) {
  uint8_t* bytes = aligned(PRODUCT_WEIGHTS_BYTES);
  FILE* file = fopen(path, "rb");
  if (file == NULL || fread(bytes, 1, PRODUCT_WEIGHTS_BYTES, file) != PRODUCT_WEIGHTS_BYTES) exit(2);
  fclose(file);
  return bytes;
}

static void expect_range(const char* what, product_context* context, product_dims dims,
                         const product_inputs* in, product_outputs* out) {
  expect(what, product_run(context, &dims, in, out), kRange);
  if (product_arena_bytes(&dims) != 0) {
    printf("%s: has an arena\n", what);
    ++failures;
  }
  if (context->fault.what == NULL ||
      (context->fault.value >= context->fault.least && context->fault.value <= context->fault.most)) {
    printf("%s: nothing says which size\n", what);
    ++failures;
  }
}

static void expect_text(const product_context* context, int32_t status, const char* wanted) {
  char line[128];
  char cut[12];
  const size_t length = product_explain(context, status, line, sizeof line);
  const size_t same = product_explain(context, status, cut, sizeof cut);
  if (strcmp(line, wanted) == 0 && length == strlen(wanted) && same == length &&
      strlen(cut) == sizeof cut - 1 && strncmp(cut, wanted, sizeof cut - 1) == 0 &&
      product_explain(context, status, NULL, 0) == length)
    return;
  printf("'%s', cut to '%s', of %d bytes, expected '%s'\n", line, cut, (int)length, wanted);
  ++failures;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  uint8_t* weights = read_weights(argv[1]);
  const size_t size = PRODUCT_WEIGHTS_BYTES;
  const product_dims dims = {2, 5, 3};
  const size_t need = product_arena_bytes(&dims);
  uint8_t* arena = aligned(need);
  float* x = (float*)calloc(2 * 5 * 24, sizeof(float));
  float* z = (float*)calloc(2 * 17 * 3, sizeof(float));
  float* y = (float*)calloc(2 * 5 * 3, sizeof(float));
  const product_inputs in = {x, z};
  product_outputs out = {y};
  product_context context;
  if (x == NULL || z == NULL || y == NULL || need == 0) return 2;

  memset(&context, 0xA5, sizeof context);
  expect("run before init", product_run(&context, &dims, &in, &out), kNotInitialised);
  expect("init without context", product_init(NULL, arena, need, weights, size), kNull);
  expect("init without arena", product_init(&context, NULL, need, weights, size), kNull);
  expect("init without weights", product_init(&context, arena, need, NULL, size), kNull);
  expect("arena misaligned", product_init(&context, arena + 1, need - 1, weights, size), kMisaligned);
  expect("weights short", product_init(&context, arena, need, weights, size - 1), kWrongSize);
  expect("weights long", product_init(&context, arena, need, weights, size + 1), kWrongSize);
  expect("weights misaligned", product_init(&context, arena, need, weights + 1, size), kInvalid);
  /* Every byte of the header, and some behind it. */
  for (size_t at = 0; at < size; at += at < 64 ? 1 : 97) {
    weights[at] = (uint8_t)(weights[at] ^ 0x10);
    expect("weights with a wrong bit", product_init(&context, arena, need, weights, size), kCorrupt);
    expect("run after a failed init", product_run(&context, &dims, &in, &out), kNotInitialised);
    weights[at] = (uint8_t)(weights[at] ^ 0x10);
  }

  expect("init", product_init(&context, arena, need, weights, size), kOk);
  expect("run", product_run(&context, &dims, &in, &out), kOk);
  expect("run without context", product_run(NULL, &dims, &in, &out), kNull);
  expect("run without dims", product_run(&context, NULL, &in, &out), kNull);
  expect("run without inputs", product_run(&context, &dims, NULL, &out), kNull);
  expect("run without outputs", product_run(&context, &dims, &in, NULL), kNull);
  {
    const product_inputs no_x = {NULL, z};
    const product_inputs no_z = {x, NULL};
    product_outputs no_y = {NULL};
    expect("input x null", product_run(&context, &dims, &no_x, &out), kNull);
    expect("input z null", product_run(&context, &dims, &no_z, &out), kNull);
    expect("output null", product_run(&context, &dims, &in, &no_y), kNull);
  }
  {
    const product_dims wrong[] = {
        {0, 5, 3},        {-1, 5, 3},        {2, 0, 3},         {2, 65, 3},
        {2, 5, 0},        {2, 5, -7},        {INT64_MAX, 5, 3}, {2, 5, INT64_MAX},
        {INT64_MIN, 5, 3}, {INT64_MAX, 64, INT64_MAX},
        {(int64_t)1 << 40, 64, (int64_t)1 << 40},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
      expect_range("dims out of range", &context, wrong[i], &in, &out);
  }
  {
    const product_dims tall = {2, 65, 3};
    const product_dims lowest = {2, 5, INT64_MIN};
    expect_range("too many rows", &context, tall, &in, &out);
    expect_text(&context, kRange, "a dimension is outside its declared range: rows is 65, not from 1 to 64");
    expect_range("the least", &context, lowest, &in, &out);
    if (context.fault.value != INT64_MIN || context.fault.least != 1) ++failures;
    expect("run without outputs", product_run(&context, &dims, &in, NULL), kNull);
    expect_text(&context, kNull, "a required pointer is null");
    expect_text(NULL, kNull, "a required pointer is null");
  }
  {
    const product_dims larger = {2, 60, 40};
    expect("arena for other sizes", product_run(&context, &larger, &in, &out), kSmall);
  }
  expect("init one byte short", product_init(&context, arena, need - 1, weights, size), kOk);
  expect("run one byte short", product_run(&context, &dims, &in, &out), kSmall);
  if (product_arena_bytes(NULL) != 0) ++failures;
  if (strcmp(product_strerror(12345), "unknown status") != 0) ++failures;

  expect("init again", product_init(&context, arena, need, weights, size), kOk);
  expect("run again", product_run(&context, &dims, &in, &out), kOk);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
