/* Calls the OpenCL host of the network "digits" wrongly in every way that its interface names, and lets
   every call of OpenCL fail once (tests/opencl/recorder.cpp in the place of libOpenCL):
   misuse_opencl WEIGHTS recorder, misuse_opencl WEIGHTS none where there is no library, or misuse_opencl
   WEIGHTS found where there is one. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "recorder.h"

enum { kOk = 0, kNull = 1, kWrongSize = 4, kCorrupt = 5, kRange = 6, kInvalid = 10 };
enum { kNotInitialised = 11, kNoLibrary = 100, kHalfGiven = 105, kForeignQueue = 110 };
enum { kUnorderedQueue = 111, kOutOfResources = 1005 };

static int failures = 0;

static void expect(const char* what, int32_t got, int32_t wanted) {
  if (got == wanted && strcmp(digits_strerror(got), "unknown status") != 0) return;
  printf("%s: status %d (%s), expected %d\n", what, (int)got, digits_strerror(got), (int)wanted);
  ++failures;
}

static uint8_t* read_weights(const char* path) {
  const size_t bytes = (DIGITS_WEIGHTS_BYTES + 2 * DIGITS_WEIGHTS_ALIGN) / DIGITS_WEIGHTS_ALIGN *
                       DIGITS_WEIGHTS_ALIGN;
  uint8_t* memory = (uint8_t*)aligned_alloc(DIGITS_WEIGHTS_ALIGN, bytes);
  FILE* file = fopen(path, "rb");
  if (memory == NULL || file == NULL ||
      fread(memory, 1, DIGITS_WEIGHTS_BYTES, file) != DIGITS_WEIGHTS_BYTES)
    exit(2);
  fclose(file);
  return memory;
}

static float image[2 * 64], probabilities[2 * 10];
static const digits_dims dims = {2};

static void wrong_calls(const uint8_t* weights) {
  const digits_inputs in = {image};
  digits_outputs out = {probabilities};
  const digits_inputs no_image = {NULL};
  digits_outputs no_room = {NULL};
  const digits_dims wrong[] = {{0}, {-1}, {INT64_MIN}, {INT64_MAX}};
  digits_context context;
  digits_opencl half;
  memset(&context, 0xA5, sizeof context);
  expect("run before init", digits_run(&context, &dims, &in, &out), kNotInitialised);
  digits_release(&context);
  digits_release(NULL);
  expect("init without context", digits_init(NULL, NULL, 0, weights, DIGITS_WEIGHTS_BYTES), kNull);
  expect("init without weights", digits_init(&context, NULL, 0, NULL, DIGITS_WEIGHTS_BYTES), kNull);
  expect("weights short", digits_init(&context, NULL, 0, weights, DIGITS_WEIGHTS_BYTES - 1),
         kWrongSize);
  expect("weights misaligned", digits_init(&context, NULL, 0, weights + 1, DIGITS_WEIGHTS_BYTES),
         kInvalid);
  memset(&half, 0, sizeof half);
  half.queue = &half;
  expect("a queue alone", digits_init_opencl(&context, &half, weights, DIGITS_WEIGHTS_BYTES),
         kHalfGiven);
  half.context = &half;
  expect("no device", digits_init_opencl(&context, &half, weights, DIGITS_WEIGHTS_BYTES), kHalfGiven);
  expect("run after a failed init", digits_run(&context, &dims, &in, &out), kNotInitialised);
  digits_release(&context);

  expect("init", digits_init(&context, NULL, 0, weights, DIGITS_WEIGHTS_BYTES), kOk);
  expect("run", digits_run(&context, &dims, &in, &out), kOk);
  expect("run without context", digits_run(NULL, &dims, &in, &out), kNull);
  expect("run without sizes", digits_run(&context, NULL, &in, &out), kNull);
  expect("run without inputs", digits_run(&context, &dims, NULL, &out), kNull);
  expect("run without outputs", digits_run(&context, &dims, &in, NULL), kNull);
  expect("input null", digits_run(&context, &dims, &no_image, &out), kNull);
  expect("output null", digits_run(&context, &dims, &in, &no_room), kNull);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    expect("a size out of range", digits_run(&context, &wrong[i], &in, &out), kRange);
  expect("run again", digits_run(&context, &dims, &in, &out), kOk);
  digits_release(&context);
  expect("run after release", digits_run(&context, &dims, &in, &out), kNotInitialised);
  digits_release(&context);
}

/* Queues of the caller: one that serves, and those of another context, another device, out of order. */
static void queues(const uint8_t* weights) {
  const Recorder recorder = find_recorder();
  const digits_inputs in = {image};
  digits_outputs out = {probabilities};
  const struct {
    const char* what;
    int context, device;
    uint64_t properties;
    int32_t status;
  } cases[] = {{"a queue of the caller", 0, 0, 2, kOk},
               {"a queue of another context", 1, 0, 0, kForeignQueue},
               {"a queue of another device", 0, 1, 0, kForeignQueue},
               {"a queue that is out of order", 0, 0, 1, kUnorderedQueue}};
  static char devices[2];
  void* const first = &devices[0];
  void* contexts[2];
  contexts[0] = recorder.create_context(NULL, 1, &first, NULL, NULL, NULL);
  contexts[1] = recorder.create_context(NULL, 1, &first, NULL, NULL, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    digits_context context;
    digits_opencl given;
    memset(&given, 0, sizeof given);
    given.context = contexts[0];
    given.device = first;
    given.queue = recorder.create_queue(contexts[cases[i].context], &devices[cases[i].device],
                                        cases[i].properties, NULL);
    expect(cases[i].what, digits_init_opencl(&context, &given, weights, DIGITS_WEIGHTS_BYTES),
           cases[i].status);
    expect("its run", digits_run(&context, &dims, &in, &out),
           cases[i].status == kOk ? kOk : kNotInitialised);
    digits_release(&context);
    recorder.release_queue(given.queue);
  }
  recorder.release_context(contexts[0]);
  recorder.release_context(contexts[1]);
  if (recorder.objects() == 0) return;
  printf("%ld objects of the caller are left\n", recorder.objects());
  ++failures;
}

static void damaged_weights(uint8_t* weights) {
  digits_context context;
  for (size_t at = 0; at < DIGITS_WEIGHTS_BYTES; at += 997) {
    /* The header's unused bytes are not checked. */
    if (at >= 8 && at < 64) continue;
    weights[at] = (uint8_t)(weights[at] ^ 0x10);
    expect("weights with a wrong bit",
           digits_init(&context, NULL, 0, weights, DIGITS_WEIGHTS_BYTES), kCorrupt);
    weights[at] = (uint8_t)(weights[at] ^ 0x10);
  }
}

/* Call after call fails; nothing may be left of what was made, and the next run is right again. */
static void failing_calls(const uint8_t* weights) {
  const Recorder recorder = find_recorder();
  const digits_inputs in = {image};
  digits_outputs out = {probabilities};
  int noticed = 0;
  for (long call = 1;; ++call) {
    digits_context context;
    int32_t status;
    int done;
    recorder.fail_at(call);
    status = digits_init(&context, NULL, 0, weights, DIGITS_WEIGHTS_BYTES);
    if (status == kOk) {
      status = digits_run(&context, &dims, &in, &out);
      done = !recorder.failed();
      recorder.fail_at(0);
      expect("the run after a failed call", digits_run(&context, &dims, &in, &out), kOk);
      digits_release(&context);
    } else {
      done = 0;
      recorder.fail_at(0);
      expect("run after a failed init", digits_run(&context, &dims, &in, &out), kNotInitialised);
    }
    if (recorder.objects() != 0) {
      printf("call %ld failed: %ld objects are left\n", call, recorder.objects());
      ++failures;
    }
    if (done || failures > 100) break;
    /* That a device cannot be asked for, or has no cached program, is no error. */
    if (status == kOutOfResources) ++noticed;
    else if (status != kOk && status != 101) expect("a failed call", status, kOutOfResources);
  }
  if (noticed < 20) {
    printf("only %d failed calls were noticed\n", noticed);
    ++failures;
  }
  printf("%d failed calls of OpenCL noticed\n", noticed);
}

int main(int argc, char** argv) {
  uint8_t* weights;
  if (argc != 3) return 2;
  weights = read_weights(argv[1]);
  if (strcmp(argv[2], "none") == 0) {
    digits_context context;
    expect("no library", digits_init(&context, NULL, 0, weights, DIGITS_WEIGHTS_BYTES), kNoLibrary);
  } else if (strcmp(argv[2], "found") == 0) {
    const digits_inputs in = {image};
    digits_outputs out = {probabilities};
    digits_context context;
    expect("library", digits_init(&context, NULL, 0, weights, DIGITS_WEIGHTS_BYTES), kOk);
    expect("its run", digits_run(&context, &dims, &in, &out), kOk);
    digits_release(&context);
  } else {
    wrong_calls(weights);
    queues(weights);
    damaged_weights(weights);
    failing_calls(weights);
  }
  if (strcmp(digits_strerror(999), "unknown status") != 0) ++failures;
  free(weights);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
