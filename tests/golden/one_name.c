/* Calls the tree whose header it is compiled with, at the largest sizes that this one takes. C and C++. */
#include "net.h"

#ifdef __cplusplus
extern "C"
#endif
    int32_t
    CALLER(void);

int32_t CALLER(void) {
  static float x[BATCH * 3 * 4], y[BATCH * 3 * 4], z[BATCH * 3 * 4];
  static net_context context;
  const net_dims dims = {BATCH, 4, 3};
  const net_inputs inputs = {x};
  net_outputs outputs = {y, z};
  int32_t status;
#ifdef OPENCL
  (void)net_arena_bytes(&dims);
  status = net_init(&context, NULL, 0, NULL, 0);
#else
  static unsigned char memory[NET_ARENA_BYTES + NET_ARENA_ALIGN];
  unsigned char* arena = memory;
  if (net_arena_bytes(&dims) == 0) return -1;
  while ((uintptr_t)arena % NET_ARENA_ALIGN != 0) ++arena;
  status = net_init(&context, arena, NET_ARENA_BYTES, NULL, 0);
#endif
  if (status == 0) status = net_run(&context, &dims, &inputs, &outputs);
#ifdef OPENCL
  net_release(&context);
#endif
  return net_strerror(status) == NULL ? -1 : status;
}
