/* What tests ask of tests/opencl/recorder.cpp in the place of libOpenCL; found while the program runs. */
#ifndef BURIN_TESTS_RECORDER_H
#define BURIN_TESTS_RECORDER_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Recorder {
  void* library;
  void (*fail_at)(long call);
  int32_t (*failed)(void);
  long (*objects)(void);
  void (*answer)(uint32_t what, uint64_t value);
  void (*forget_answers)(void);
  void (*limit)(size_t bytes);
  size_t (*bytes)(void);
  void (*log)(long bytes);
  void* (*create_context)(const intptr_t*, uint32_t, void* const*, void*, void*, int32_t*);
  void* (*create_queue)(void* context, void* device, uint64_t properties, int32_t*);
  int32_t (*release_context)(void*);
  int32_t (*release_queue)(void*);
} Recorder;

/* Data and functions have addresses alike. */
static void find(void* library, const char* name, void* function) {
  void* address = dlsym(library, name);
  if (address == NULL) exit(2);
  memcpy(function, &address, sizeof address);
}

static Recorder find_recorder(void) {
  Recorder found;
  void* const library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (library == NULL) exit(2);
  found.library = library;
  find(library, "burin_record_fail_at", &found.fail_at);
  find(library, "burin_record_failed", &found.failed);
  find(library, "burin_record_objects", &found.objects);
  find(library, "burin_record_answer", &found.answer);
  find(library, "burin_record_forget_answers", &found.forget_answers);
  find(library, "burin_record_limit", &found.limit);
  find(library, "burin_record_bytes", &found.bytes);
  find(library, "burin_record_log", &found.log);
  find(library, "clCreateContext", &found.create_context);
  find(library, "clCreateCommandQueue", &found.create_queue);
  find(library, "clReleaseContext", &found.release_context);
  find(library, "clReleaseCommandQueue", &found.release_queue);
  return found;
}

#endif
