/* Compiled programs that a caller keeps, the compiler's messages, and OpenCL objects of the caller:
   cached_opencl recorder (tests/opencl/recorder.cpp in the place of libOpenCL: its driver ends the program
   when it is given what it did not make), or cached_opencl device. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "one.h"
#include "other.h"
#include "recorder.h"

enum { kOk = 0, kBuildFailure = 1011, kMostDevices = 8 };

static int failures = 0;

/* What the callbacks saw. */
static struct {
  uint8_t* bytes;
  size_t count;
  int rooms;
  char message[1 << 17];
  int messages;
} seen;

static void* room(void* user, size_t bytes) {
  if (user != &seen) abort();
  ++seen.rooms;
  free(seen.bytes);
  seen.count = bytes;
  seen.bytes = (uint8_t*)malloc(bytes);
  memset(seen.bytes, 0xA5, bytes);
  return seen.bytes;
}
static void* no_room(void* user, size_t bytes) {
  (void)user;
  (void)bytes;
  ++seen.rooms;
  return NULL;
}
static void message(void* user, const char* text) {
  if (user != &seen || strlen(text) >= sizeof seen.message) abort();
  ++seen.messages;
  strcpy(seen.message, text);
}

static float x[2 * 3 * 4], y[2 * 3 * 4], first[2 * 3 * 4], middle[2 * 3 * 4];

/* Initialises, runs and releases; the rooms that were asked for meanwhile. */
static void expect(const char* what, one_opencl* given, int32_t wanted, int rooms) {
  static one_context context;
  const one_dims dims = {2, 3, 4};
  const one_inputs in = {x};
  one_outputs out = {y, middle};
  int32_t status;
  seen.rooms = 0;
  given->user = &seen;
  status = one_init_opencl(&context, given, NULL, 0);
  if (status == kOk) {
    memset(y, 0, sizeof y);
    status = one_run(&context, &dims, &in, &out);
    one_release(&context);
    if (memcmp(y, first, sizeof y) != 0) {
      printf("%s: other results\n", what);
      ++failures;
    }
  }
  if (status == wanted && seen.rooms == rooms) return;
  printf("%s: status %d (%s), expected %d; asked for %d rooms, expected %d\n", what, (int)status,
         one_strerror(status), (int)wanted, seen.rooms, rooms);
  ++failures;
}

static void kept_programs(const Recorder* recorder) {
  one_opencl given;
  uint8_t* kept;
  size_t bytes;
  memset(&given, 0, sizeof given);
  expect("nothing given", &given, kOk, 0);
  given.binary_room = no_room;
  expect("no room", &given, kOk, 1);
  given.binary_room = room;
  expect("compiled", &given, kOk, 1);
  kept = seen.bytes;
  bytes = seen.count;
  seen.bytes = NULL;
  given.binary = kept;
  given.binary_bytes = bytes;
  expect("kept", &given, kOk, 0);
  /* Bits of the mark, of the beginning and of the end of the driver's bytes. */
  for (size_t i = 0; i < 40; ++i) {
    const size_t at = i < 28 ? i : bytes - 1 - (i - 28) * 7 % (bytes - 32);
    kept[at] ^= 0x10;
    expect("damaged", &given, kOk, 1);
    kept[at] ^= 0x10;
    if (recorder == NULL) i += 5; /* Compilers take their time. */
  }
  for (given.binary_bytes = 0; given.binary_bytes < bytes; given.binary_bytes += bytes / 3 + 1)
    expect("cut", &given, kOk, 1);
  given.binary_bytes = bytes;
  if (recorder != NULL) {
    recorder->answer(0x102D, 'B'); /* CL_DRIVER_VERSION */
    expect("of another driver", &given, kOk, 1);
    recorder->forget_answers();
  }
  expect("kept after all", &given, kOk, 0);

  /* The same program of the next version of an app has other kernels. */
  {
    static other_context context;
    other_opencl of_other;
    int32_t status;
    memset(&of_other, 0, sizeof of_other);
    of_other.binary = kept;
    of_other.binary_bytes = bytes;
    of_other.binary_room = room;
    of_other.user = &seen;
    seen.rooms = 0;
    status = other_init_opencl(&context, &of_other, NULL, 0);
    if (status != kOk || seen.rooms != 1) {
      printf("another program's binary: status %d, %d rooms\n", (int)status, seen.rooms);
      ++failures;
    }
    other_release(&context);
    of_other.binary = seen.bytes;
    of_other.binary_bytes = seen.count;
    of_other.binary_room = no_room;
    seen.rooms = 0;
    status = other_init_opencl(&context, &of_other, NULL, 0);
    if (status != kOk || seen.rooms != 0) {
      printf("the new binary: status %d, %d rooms\n", (int)status, seen.rooms);
      ++failures;
    }
    other_release(&context);
  }
  free(kept);
}

/* A binary that is marked well and lacks the kernels: the driver's own mistake. */
static void useless_program(const Recorder* recorder) {
  one_opencl given;
  memset(&given, 0, sizeof given);
  given.binary_room = room;
  expect("compiled", &given, kOk, 1);
  given.binary = seen.bytes;
  given.binary_bytes = seen.count;
  given.binary_room = no_room;
  for (long call = 1; call < 40; ++call) {
    recorder->fail_at(call);
    seen.rooms = 0;
    given.user = &seen;
    {
      static one_context context;
      const int32_t status = one_init_opencl(&context, &given, NULL, 0);
      if (status == kOk) one_release(&context);
      if (recorder->objects() != 0) {
        printf("call %ld failed: %ld objects are left\n", call, recorder->objects());
        ++failures;
      }
      /* Kernels of the binary failed: compiled instead, and handed out. */
      if (status == kOk && seen.rooms == 1) ++seen.messages;
    }
    recorder->fail_at(0);
  }
  if (seen.messages < 3) {
    printf("only %d failures of a binary were mended\n", seen.messages);
    ++failures;
  }
  seen.messages = 0;
}

static void logs(const Recorder* recorder) {
  const long sizes[] = {10, 4000, 4096, 100000};
  one_opencl given;
  memset(&given, 0, sizeof given);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    recorder->log(sizes[i]);
    given.message = message;
    seen.messages = 0;
    expect("does not compile", &given, kBuildFailure, 0);
    if (seen.messages != 1 || strncmp(seen.message, "first line\n", 11) != 0 ||
        strcmp(seen.message + strlen(seen.message) - 3, "end") != 0) {
      printf("a log of %ld bytes: %d messages, %zu bytes\n", sizes[i], seen.messages,
             strlen(seen.message));
      ++failures;
    }
    given.message = NULL;
    expect("nobody listens", &given, kBuildFailure, 0);
  }
  recorder->log(0);
}

/* Objects of the caller: a context with one device, or with several, and a queue. */
static void own_objects(int devices) {
  void* const library = dlopen("libOpenCL.so.1", RTLD_NOW);
  int32_t (*platforms)(uint32_t, void**, uint32_t*);
  int32_t (*get_devices)(void*, uint64_t, uint32_t, void**, uint32_t*);
  void* (*make_context)(const intptr_t*, uint32_t, void* const*, void*, void*, int32_t*);
  void* (*make_queue)(void*, void*, uint64_t, int32_t*);
  int32_t (*release_queue)(void*);
  int32_t (*release_context)(void*);
  void* platform;
  void* device[kMostDevices] = {NULL};
  one_opencl given;
  int32_t error = 0;
  if (library == NULL) exit(2);
  find(library, "clGetPlatformIDs", &platforms);
  find(library, "clGetDeviceIDs", &get_devices);
  find(library, "clCreateContext", &make_context);
  find(library, "clCreateCommandQueue", &make_queue);
  find(library, "clReleaseCommandQueue", &release_queue);
  find(library, "clReleaseContext", &release_context);
  memset(&given, 0, sizeof given);
  if (platforms(1, &platform, NULL) != 0) exit(2);
  if (get_devices(platform, 0xffffffffu, 1, &device[devices - 1], NULL) != 0) exit(2);
  /* The recorder takes anything for a device. */
  for (int i = 0; i + 1 < devices; ++i) device[i] = &device[i];
  given.context = make_context(NULL, (uint32_t)devices, device, NULL, NULL, &error);
  given.device = device[devices - 1];
  given.queue = make_queue(given.context, given.device, 0, &error);
  given.binary_room = room;
  expect("objects of the caller", &given, kOk, 1);
  given.binary = seen.bytes;
  given.binary_bytes = seen.count;
  expect("they are still there, and a binary", &given, kOk, 0);
  if (release_queue(given.queue) != 0 || release_context(given.context) != 0) {
    printf("objects of the caller are gone\n");
    ++failures;
  }
}

int main(int argc, char** argv) {
  static one_context context;
  const one_dims dims = {2, 3, 4};
  const one_inputs in = {x};
  one_outputs out = {first, middle};
  if (argc != 2) return 2;
  for (int i = 0; i < 24; ++i) x[i] = (float)i / 7.0f;
  if (one_init(&context, NULL, 0, NULL, 0) != kOk || one_run(&context, &dims, &in, &out) != kOk)
    return 2;
  one_release(&context);
  own_objects(1);
  if (strcmp(argv[1], "recorder") == 0) {
    const Recorder recorder = find_recorder();
    own_objects(3);
    kept_programs(&recorder);
    useless_program(&recorder);
    logs(&recorder);
    if (recorder.objects() != 0) {
      printf("%ld objects are left\n", recorder.objects());
      ++failures;
    }
  } else {
    kept_programs(NULL);
  }
  free(seen.bytes);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
