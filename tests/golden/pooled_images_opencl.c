/* Images that kernels write are as large as the largest run needs, whatever came before: sizes that change
   places, and a device without room for what earlier runs left. With tests/opencl/recorder.cpp in the
   place of libOpenCL. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "images.h"
#include "recorder.h"

enum { kOk = 0, kNoMemory = 1004, kMost = 2048 };

static int failures = 0;
static Recorder recorder;
static images_context context;
static float x[6 * kMost * 2], rows[200], y[38 * kMost], soft[200], more[200];

static void expect_run(int64_t h, int64_t w, int32_t wanted) {
  const images_dims dims = {h, w, 1};
  const images_inputs in = {x, rows};
  images_outputs out = {y, soft, more};
  const int32_t status = images_run(&context, &dims, &in, &out);
  if (status == wanted) return;
  printf("%d x %d: status %d (%s), expected %d\n", (int)h, (int)w, (int)status,
         images_strerror(status), (int)wanted);
  ++failures;
}

static void init(void) {
  if (images_init(&context, NULL, 0, NULL, 0) != kOk) ++failures;
}

/* Bytes of buffers and images after a run of a fresh context. */
static size_t needed(int64_t h, int64_t w) {
  size_t bytes;
  init();
  expect_run(h, w, kOk);
  bytes = recorder.bytes();
  images_release(&context);
  return bytes;
}

int main(void) {
  size_t high, wide, most;
  recorder = find_recorder();
  high = needed(kMost, 2);
  wide = needed(2, kMost);
  most = high > wide ? high : wide;

  init();
  for (int i = 0; i < 3; ++i) {
    expect_run(kMost, 2, kOk);
    expect_run(2, kMost, kOk);
    expect_run(8, 8, kOk);
    if (recorder.bytes() <= most) continue;
    printf("%zu bytes where a run needs %zu\n", recorder.bytes(), most);
    ++failures;
  }
  images_release(&context);

  /* Room for the arena as it is and for the images of the second run, not for one of each. */
  init();
  expect_run(kMost, 2, kOk);
  recorder.limit(high - 5 * 2 * 16);
  expect_run(2, kMost - 1, kOk);
  recorder.limit(high / 2);
  expect_run(kMost, 2, kNoMemory);
  recorder.limit(SIZE_MAX);
  expect_run(kMost, 2, kOk);
  images_release(&context);
  if (recorder.objects() != 0) {
    printf("%ld objects are left\n", recorder.objects());
    ++failures;
  }
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
