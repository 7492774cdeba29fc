// The few declarations of FastRPC that emitted code needs, so that it is compiled without an SDK.
#ifndef REMOTE_H
#define REMOTE_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t remote_handle;
typedef uint64_t remote_handle64;
typedef struct {
  void* pv;
  size_t nLen;
} remote_buf;
typedef union {
  remote_buf buf;
  remote_handle h;
  remote_handle64 h64;
} remote_arg;

#define REMOTE_SCALARS_MAKEX(attributes, method, ins, outs, in_handles, out_handles) \
  ((((uint32_t)(attributes)&7) << 29) | (((uint32_t)(method)&31) << 24) |            \
   (((uint32_t)(ins)&255) << 16) | (((uint32_t)(outs)&255) << 8) |                   \
   (((uint32_t)(in_handles)&15) << 4) | ((uint32_t)(out_handles)&15))

#define CDSP_DOMAIN_ID 3
#define CDSP_DOMAIN "&_dom=cdsp"
enum session_control_req_id { DSPRPC_CONTROL_UNSIGNED_MODULE = 2 };
struct remote_rpc_control_unsigned_module {
  int domain;
  int enable;
};

int remote_handle64_open(const char* name, remote_handle64* handle);
int remote_handle64_invoke(remote_handle64 handle, uint32_t scalars, remote_arg* arguments);
int remote_handle64_close(remote_handle64 handle);
int remote_session_control(uint32_t request, void* data, uint32_t bytes);

#endif
