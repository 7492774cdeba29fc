// burin generate tinylm.onnx --config cpp-generic --name chat --weights blob --dim seq=1 --dim past=0..255 --state past_k=present_k --state past_v=present_v -o tree
// c++ -std=c++17 -O2 -ffp-contract=off -Itree/include -c tree/src/*.cpp tree/src/kernels/*.cpp
// cc -Itree/include main.c *.o -o chat && ./chat tree/weights/chat.bin 3 20
#include <stdio.h>
#include <stdlib.h>

#include "chat.h"

enum { kTokens = 50, kMost = 256, kCache = 4 * kMost * 16 };

static _Alignas(CHAT_ARENA_ALIGN) unsigned char arena[CHAT_ARENA_BYTES];
static _Alignas(CHAT_WEIGHTS_ALIGN) unsigned char weights[CHAT_WEIGHTS_BYTES];
// The caches: a step writes its own keys and values behind those of the steps before.
static float keys[kCache], values[kCache], logits[kTokens];

int main(int argc, char** argv) {
  FILE* const file = argc == 4 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL || fread(weights, 1, sizeof weights, file) != sizeof weights) return 2;
  fclose(file);
  int64_t token = atoi(argv[2]);
  const int steps = atoi(argv[3]) < kMost ? atoi(argv[3]) : kMost - 1;
  chat_context context;
  int status = chat_init(&context, arena, sizeof arena, weights, sizeof weights);
  for (int past = 0; status == 0 && past < steps; ++past) {
    const chat_dims dims = {past};
    const chat_inputs inputs = {&token, keys, values};
    chat_outputs outputs = {logits, keys, values};
    status = chat_run(&context, &dims, &inputs, &outputs);
    token = 0;
    for (int i = 1; i < kTokens; ++i) token = logits[i] > logits[token] ? i : token;
    printf("%d\n", (int)token);
  }
  if (status != 0) fprintf(stderr, "%s\n", chat_strerror(status));
  return status;
}
