/* A device that has less than a network needs is refused when a context is made, each lack by its own status;
   one that has just enough is not. With tests/opencl/recorder.cpp in the place of libOpenCL. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "doubles.h"
#include "halves.h"
#include "images.h"
#include "recorder.h"

enum { kOk = 0, kLacksDouble = 102, kLacksWorkGroup = 103, kLacksMemory = 104 };
enum { kLacksImages = 106, kLacksImageSize = 107, kLacksHalf = 108, kLacksLocalMemory = 109 };
/* CL_DEVICE_..., CL_KERNEL_WORK_GROUP_SIZE */
enum { kGroup = 0x1004, kItems = 0x1005, kRead = 0x100E, kWritten = 0x100F, kAllocation = 0x1010 };
enum { kWidth = 0x1011, kHeight = 0x1012, kImages = 0x1016, kLocal = 0x1023, kDoubles = 0x1032 };
enum { kHalves = 0x1033, kKernelGroup = 0x11B0 };

static int failures = 0;
static Recorder recorder;

static void expect(const char* what, int32_t got, int32_t wanted) {
  const char* const text = images_strerror(got);
  if (got != wanted) {
    printf("%s: status %d (%s), expected %d\n", what, (int)got, text, (int)wanted);
    ++failures;
  }
  if (strcmp(text, "unknown status") == 0) {
    printf("status %d has no text\n", (int)got);
    ++failures;
  }
  if (recorder.objects() != 0) {
    printf("%s: %ld objects are left\n", what, recorder.objects());
    ++failures;
  }
}

static int32_t init_images(void) {
  static images_context context;
  const int32_t status = images_init(&context, NULL, 0, NULL, 0);
  images_release(&context);
  return status;
}
static int32_t init_halves(void) {
  static halves_context context;
  const int32_t status = halves_init(&context, NULL, 0, NULL, 0);
  halves_release(&context);
  return status;
}
static int32_t init_doubles(void) {
  static doubles_context context;
  const int32_t status = doubles_init(&context, NULL, 0, NULL, 0);
  doubles_release(&context);
  return status;
}

static void lacks(const char* what, uint32_t question, uint64_t value, int32_t (*init)(void),
                  int32_t wanted) {
  recorder.answer(question, value);
  expect(what, init(), wanted);
  recorder.forget_answers();
}

static void small_devices(void) {
  recorder.answer(kHalves, 63);
  expect("halves", init_halves(), kOk);
  recorder.forget_answers();
  expect("doubles", init_doubles(), kOk);
  expect("images", init_images(), kOk);
  lacks("no doubles", kDoubles, 0, init_doubles, kLacksDouble);
  lacks("no halves", kHalves, 0, init_halves, kLacksHalf);
  lacks("halves that are cut", kHalves, 1 << 3, init_halves, kLacksHalf);
  expect("the question about halves is unknown", init_halves(), kLacksHalf);
  lacks("small work-groups", kGroup, 63, init_images, kLacksWorkGroup);
  lacks("just large enough", kGroup, 64, init_images, kOk);
  lacks("few work-items along a dimension", kItems, 63, init_images, kLacksWorkGroup);
  lacks("just enough", kItems, 64, init_images, kOk);
  lacks("kernels with small work-groups", kKernelGroup, 63, init_images, kLacksWorkGroup);
  lacks("just large enough", kKernelGroup, 64, init_images, kOk);
  lacks("little local memory", kLocal, 5119, init_images, kLacksLocalMemory);
  lacks("just enough", kLocal, 5120, init_images, kOk);
  lacks("no room for the weights", kAllocation, 1000, init_images, kLacksMemory);
  lacks("no images", kImages, 0, init_images, kLacksImages);
  lacks("narrow images", kWidth, 4095, init_images, kLacksImageSize);
  lacks("low images", kHeight, 6143, init_images, kLacksImageSize);
  lacks("few images to read", kRead, 1, init_images, kLacksImageSize);
  lacks("few images to write", kWritten, 0, init_images, kLacksImageSize);
}

/* Every error has a text of its own, or its number. */
static void texts(void) {
  static images_context context;
  char one[200], other[200];
  for (int32_t a = 1001; a <= 1072; a = a == 1019 ? 1030 : a + 1) {
    for (int32_t b = 1001; b < a; b = b == 1019 ? 1030 : b + 1) {
      if (strcmp(images_strerror(a), images_strerror(b)) != 0) continue;
      printf("%d and %d are both: %s\n", (int)a, (int)b, images_strerror(a));
      ++failures;
    }
  }
  memset(&context, 0, sizeof context);
  (void)images_explain(&context, 10999, one, sizeof one);
  (void)images_explain(&context, 1073, other, sizeof other);
  if (strstr(one, "-9999") == NULL || strstr(other, "-73") == NULL) {
    printf("numbers are missing: %s; %s\n", one, other);
    ++failures;
  }
}

int main(void) {
  recorder = find_recorder();
  small_devices();
  texts();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
