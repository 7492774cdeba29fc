// Both ends of FastRPC in one program: the transport is a call. A network of images gives what it
// gives by itself; calls that are wrong are refused, each with its number, and nothing is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits_host.h"
#include "rpcmem.h"

enum { kImages = 3, kPixels = 64, kClasses = 10 };

static int unsigned_modules, allocated;

int remote_handle64_open(const char* name, remote_handle64* handle) {
  int32_t length = (int32_t)strlen(name) + 1;
  char copy[256];
  remote_arg arguments[3];
  memset(arguments, 0, sizeof arguments);
  if (strcmp(name, DIGITS_RPC_URI CDSP_DOMAIN) != 0) return 1;
  memcpy(copy, name, (size_t)length);
  arguments[0].buf.pv = &length;
  arguments[0].buf.nLen = sizeof length;
  arguments[1].buf.pv = copy;
  arguments[1].buf.nLen = (size_t)length;
  const int result =
      digits_rpc_skel_handle_invoke(0, REMOTE_SCALARS_MAKEX(0, 0, 2, 0, 0, 1), arguments);
  if (result == 0) *handle = arguments[2].h64;
  return result;
}
int remote_handle64_invoke(remote_handle64 handle, uint32_t scalars, remote_arg* arguments) {
  return digits_rpc_skel_handle_invoke(handle, scalars, arguments);
}
int remote_handle64_close(remote_handle64 handle) {
  remote_arg arguments[1];
  memset(arguments, 0, sizeof arguments);
  arguments[0].h64 = handle;
  return digits_rpc_skel_handle_invoke(0, REMOTE_SCALARS_MAKEX(0, 1, 0, 0, 1, 0), arguments);
}
int remote_session_control(uint32_t request, void* data, uint32_t bytes) {
  const struct remote_rpc_control_unsigned_module* const asked = data;
  if (request != DSPRPC_CONTROL_UNSIGNED_MODULE || bytes != sizeof *asked ||
      asked->domain != CDSP_DOMAIN_ID)
    return 1;
  unsigned_modules += asked->enable;
  return 0;
}
void* rpcmem_alloc(int heap, uint32_t flags, int bytes) {
  ++allocated;
  return heap == RPCMEM_HEAP_ID_SYSTEM && flags == RPCMEM_DEFAULT_FLAGS ? malloc((size_t)bytes)
                                                                        : NULL;
}
void rpcmem_free(void* memory) {
  --allocated;
  free(memory);
}

static int faults;
static void expect(int line, int got, int wanted) {
  if (got == wanted) return;
  printf("line %d: %#x, not %#x: %s\n", line, (unsigned)got, (unsigned)wanted,
         digits_host_strerror(got));
  ++faults;
}
#define EXPECT(call, wanted) expect(__LINE__, (call), (wanted))
// Of the network: any of its statuses.
static void expect_network(int line, int got) {
  if (got > DIGITS_RPC_NETWORK && got < DIGITS_RPC_NETWORK + 256) return;
  printf("line %d: %#x is no status of the network\n", line, (unsigned)got);
  ++faults;
}
#define EXPECT_NETWORK(call) expect_network(__LINE__, (call))

static long file(const char* name, void** bytes) {
  FILE* const in = fopen(name, "rb");
  if (in == NULL) return -1;
  fseek(in, 0, SEEK_END);
  const long length = ftell(in);
  rewind(in);
  *bytes = malloc((size_t)length);
  const long got = (long)fread(*bytes, 1, (size_t)length, in);
  fclose(in);
  return got;
}

static float* image;
static float* probabilities;
static int run(remote_handle64 handle, int64_t images, int sizes, int pixels, int classes) {
  return digits_rpc_run(handle, image, pixels, probabilities, classes, &images, sizes);
}

static void refuse_sizes(remote_handle64 handle) {
  const int pixels = kImages * kPixels, classes = kImages * kClasses;
  EXPECT(run(handle, kImages, 0, pixels, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, kImages, 1, pixels - 1, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, kImages, 1, pixels + 1, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, kImages, 1, 0, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, kImages, 1, -1, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, kImages, 1, pixels, classes - 1), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, kImages, 1, pixels, 0), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, kImages - 1, 1, pixels, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, -1, 1, pixels, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, INT64_MAX, 1, pixels, classes), DIGITS_RPC_BAD_SIZE);
  EXPECT(run(handle, INT64_MIN, 1, pixels, classes), DIGITS_RPC_BAD_SIZE);
  const int64_t images = kImages;
  EXPECT(digits_rpc_run(handle, image, pixels, probabilities, classes, NULL, 1),
         DIGITS_RPC_BAD_SIZE);
  EXPECT(digits_rpc_run(handle, NULL, pixels, probabilities, classes, &images, 1),
         DIGITS_RPC_BAD_SIZE);
  EXPECT(digits_rpc_run(handle, image, pixels, NULL, classes, &images, 1), DIGITS_RPC_BAD_SIZE);
  EXPECT(digits_rpc_load(handle, NULL, 8), DIGITS_RPC_BAD_CALL);
  EXPECT(digits_rpc_load(handle, (const uint8_t*)image, -8), DIGITS_RPC_BAD_SIZE);
}

// Every kind of call with the buffers of every other.
static void refuse_calls(remote_handle64 handle) {
  uint32_t lengths[3] = {kImages * kPixels, kImages * kClasses, 1};
  remote_arg arguments[4];
  memset(arguments, 0, sizeof arguments);
  arguments[0].buf.pv = lengths;
  arguments[1].buf.pv = image;
  arguments[1].buf.nLen = sizeof *image * kImages * kPixels;
  const uint32_t good = REMOTE_SCALARS_MAKEX(0, 3, 3, 1, 0, 0);
  for (uint32_t method = 0; method < 32; ++method) {
    for (uint32_t ins = 0; ins < 5; ++ins) {
      for (uint32_t outs = 0; outs < 3; ++outs) {
        const uint32_t kind = REMOTE_SCALARS_MAKEX(0, method, ins, outs, 0, 0);
        if (kind == good || kind == REMOTE_SCALARS_MAKEX(0, 2, 2, 0, 0, 0)) continue;
        EXPECT(remote_handle64_invoke(handle, kind, arguments), DIGITS_RPC_BAD_CALL);
      }
    }
  }
  EXPECT(remote_handle64_invoke(handle, good, NULL), DIGITS_RPC_BAD_CALL);
  EXPECT(remote_handle64_invoke(handle, good | 1, arguments), DIGITS_RPC_BAD_CALL);
  EXPECT(remote_handle64_invoke(handle, good | 16, arguments), DIGITS_RPC_BAD_CALL);
  for (size_t bytes = 0; bytes < 32; ++bytes) {
    if (bytes == sizeof lengths) continue;
    arguments[0].buf.nLen = bytes;
    EXPECT(remote_handle64_invoke(handle, good, arguments), DIGITS_RPC_BAD_CALL);
  }
  arguments[0].buf.pv = NULL;
  arguments[0].buf.nLen = sizeof lengths;
  EXPECT(remote_handle64_invoke(handle, good, arguments), DIGITS_RPC_BAD_CALL);
}

static void refuse_handles(remote_handle64 closed) {
  const int pixels = kImages * kPixels, classes = kImages * kClasses;
  const remote_handle64 others[] = {0, 1, 255, closed, closed ^ 1, closed + 256, UINT64_MAX};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    EXPECT(run(others[i], kImages, 1, pixels, classes), DIGITS_RPC_BAD_HANDLE);
    EXPECT(digits_host_close(others[i]), DIGITS_RPC_BAD_HANDLE);
  }
  // Its place has another handle now, which stays open.
  remote_handle64 again;
  EXPECT(digits_rpc_open(DIGITS_RPC_URI CDSP_DOMAIN, &again), 0);
  EXPECT(run(closed, kImages, 1, pixels, classes), DIGITS_RPC_BAD_HANDLE);
  EXPECT(digits_host_close(again), 0);
}

int main(int count, char** words) {
  void* weights = NULL;
  void* pixels = NULL;
  if (count != 4) return 2;
  const long bytes = file(words[1], &weights);
  if (bytes < 8 || file(words[2], &pixels) != (long)sizeof(float) * kImages * kPixels) return 2;
  image = digits_host_allocate((int)sizeof(float) * kImages * kPixels);
  probabilities = digits_host_allocate((int)sizeof(float) * kImages * kClasses);
  if (image == NULL || probabilities == NULL || digits_host_allocate(-1) != NULL) return 2;
  memcpy(image, pixels, sizeof(float) * kImages * kPixels);

  remote_handle64 handle, other, many[DIGITS_RPC_HANDLES];
  // Weights that are not the network's; then none are there to run with.
  EXPECT_NETWORK(digits_host_open(0, weights, (int)bytes - 8, &handle));
  EXPECT(unsigned_modules, 1);
  EXPECT(digits_rpc_open(DIGITS_RPC_URI CDSP_DOMAIN, &other), 0);
  EXPECT_NETWORK(run(other, kImages, 1, kImages * kPixels, kImages * kClasses));
  EXPECT(digits_host_open(1, weights, (int)bytes, &handle), 0);
  EXPECT(unsigned_modules, 1);
  refuse_sizes(handle);
  refuse_calls(handle);
  EXPECT(run(handle, kImages, 1, kImages * kPixels, kImages * kClasses), 0);
  FILE* const out = fopen(words[3], "wb");
  fwrite(probabilities, sizeof *probabilities, kImages * kClasses, out);
  fclose(out);
  refuse_sizes(handle);
  // Fewer images, and more again, in the same arena.
  EXPECT(run(handle, 1, 1, kPixels, kClasses), 0);
  EXPECT(digits_host_close(handle), 0);
  EXPECT(digits_host_close(other), 0);
  refuse_handles(handle);
  for (int i = 0; i < DIGITS_RPC_HANDLES; ++i)
    EXPECT(digits_rpc_open(DIGITS_RPC_URI CDSP_DOMAIN, &many[i]), 0);
  EXPECT(digits_rpc_open(DIGITS_RPC_URI CDSP_DOMAIN, &other), DIGITS_RPC_BUSY);
  for (int i = 0; i < DIGITS_RPC_HANDLES; ++i) EXPECT(digits_host_close(many[i]), 0);
  digits_host_free(image);
  digits_host_free(probabilities);
  digits_host_free(NULL);
  EXPECT(allocated, 0);
  free(weights);
  free(pixels);
  return faults == 0 ? 0 : 1;
}
