// States of a network on a DSP: left out they stay there from run to run, and are what one buffer
// of the caller is. The transport is a call, which counts what it carries.
#include <stdio.h>
#include <string.h>

#include "cache_rpc.h"

enum { kRows = 2, kRoom = 8, kWidth = 3, kNew = kRows * kWidth, kState = kRows * kRoom * kWidth };

static size_t carried;

int remote_handle64_open(const char* name, remote_handle64* handle) {
  remote_arg arguments[3];
  memset(arguments, 0, sizeof arguments);
  if (strncmp(name, CACHE_RPC_URI, strlen(CACHE_RPC_URI)) != 0) return 1;
  const int result =
      cache_rpc_skel_handle_invoke(0, REMOTE_SCALARS_MAKEX(0, 0, 2, 0, 0, 1), arguments);
  if (result == 0) *handle = arguments[2].h64;
  return result;
}
int remote_handle64_invoke(remote_handle64 handle, uint32_t scalars, remote_arg* arguments) {
  carried = 0;
  const uint32_t buffers = ((scalars >> 16) & 255) + ((scalars >> 8) & 255);
  for (uint32_t i = 0; i < buffers; ++i) carried += arguments[i].buf.nLen;
  return cache_rpc_skel_handle_invoke(handle, scalars, arguments);
}
int remote_handle64_close(remote_handle64 handle) {
  remote_arg arguments[1];
  memset(arguments, 0, sizeof arguments);
  arguments[0].h64 = handle;
  return cache_rpc_skel_handle_invoke(0, REMOTE_SCALARS_MAKEX(0, 1, 0, 0, 1, 0), arguments);
}

static int faults;
static void expect(int line, double got, double wanted) {
  if (got == wanted) return;
  printf("line %d: %g, not %g\n", line, got, wanted);
  ++faults;
}
#define EXPECT(got, wanted) expect(__LINE__, (got), (wanted))

// What the buffer is after each step, written here.
static float wanted[kState];
static float now[kNew];
static float sum;
static int64_t zeros = 2;

static void next(int64_t past) {
  for (int i = 0; i < kNew; ++i) now[i] = (float)((past * 5 + i * 3) % 7 - 2);
  for (int r = 0; r < kRows; ++r)
    memcpy(&wanted[(r * kRoom + past) * kWidth], &now[r * kWidth], sizeof(float) * kWidth);
}
static double sum_of(int64_t rows) {
  double out = 0;
  for (int r = 0; r < kRows; ++r)
    for (int64_t i = 0; i < rows * kWidth; ++i) {
      const double one = (double)wanted[r * kRoom * kWidth + i];
      out += one * one;
    }
  return out;
}
static int run(remote_handle64 handle, int64_t past, const float* in, float* out) {
  return cache_rpc_run(handle, in, in ? kState : 0, now, kNew, &zeros, 1, out, out ? kState : 0,
                       &sum, 1, &past, 1);
}

int main(void) {
  static float state[kState], other[kState];
  const size_t few = sizeof now + sizeof sum + 2 * sizeof(int64_t) + 64;  // and the list of lengths
  remote_handle64 handle, second;
  EXPECT(cache_rpc_open(CACHE_RPC_URI "&_dom=cdsp", &handle), 0);
  EXPECT(cache_rpc_open(CACHE_RPC_URI "&_dom=cdsp", &second), 0);
  for (int64_t past = 0; past < kRoom; ++past) {
    next(past);
    EXPECT(run(handle, past, NULL, NULL), 0);
    EXPECT((double)sum, sum_of(past + 1));
    EXPECT(carried <= few, 1);
    // Read out, and handed to another handle, which goes on with it.
    EXPECT(run(handle, past, NULL, state), 0);
    EXPECT(memcmp(state, wanted, sizeof state), 0);
    EXPECT(run(second, past, state, NULL), 0);
    EXPECT((double)sum, sum_of(past + 1));
    EXPECT(run(second, past, state, other), 0);
    EXPECT(memcmp(other, wanted, sizeof other), 0);
  }
  // A length beyond the range, and a state of another length: nothing ran, so it is still there.
  EXPECT(run(handle, kRoom, NULL, NULL), CACHE_RPC_BAD_SIZE);
  EXPECT(cache_rpc_run(handle, state, kState - 1, now, kNew, &zeros, 1, NULL, 0, &sum, 1,
                       &(int64_t){0}, 1),
         CACHE_RPC_BAD_SIZE);
  next(kRoom - 1);
  EXPECT(run(handle, kRoom - 1, NULL, NULL), 0);
  EXPECT((double)sum, sum_of(kRoom));
  // After a run that failed the state is what is passed next.
  zeros = 9;
  EXPECT(run(handle, 3, NULL, NULL) > CACHE_RPC_NETWORK, 1);
  zeros = 2;
  EXPECT(run(handle, 3, NULL, NULL), CACHE_RPC_LOST_STATE);
  EXPECT(run(handle, 3, NULL, state), CACHE_RPC_LOST_STATE);
  memcpy(state, wanted, sizeof state);
  EXPECT(run(handle, kRoom - 1, state, NULL), 0);
  EXPECT(run(handle, kRoom - 1, NULL, NULL), 0);
  EXPECT((double)sum, sum_of(kRoom));
  EXPECT(cache_rpc_close(handle), 0);
  // A new handle begins with zeros.
  memset(wanted, 0, sizeof wanted);
  EXPECT(cache_rpc_open(CACHE_RPC_URI "&_dom=cdsp", &handle), 0);
  next(3);
  EXPECT(run(handle, 3, NULL, NULL), 0);
  EXPECT((double)sum, sum_of(4));
  EXPECT(cache_rpc_close(handle), 0);
  EXPECT(cache_rpc_close(second), 0);
  return faults == 0 ? 0 : 1;
}
