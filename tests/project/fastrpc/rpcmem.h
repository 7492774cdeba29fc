#ifndef RPCMEM_H
#define RPCMEM_H

#include <stdint.h>

#define RPCMEM_HEAP_ID_SYSTEM 25
#define RPCMEM_DEFAULT_FLAGS 1

void* rpcmem_alloc(int heap, uint32_t flags, int bytes);
void rpcmem_free(void* memory);

#endif
