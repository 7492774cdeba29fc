// burin generate kws.onnx --config cpp-generic --name spotter --weights embed -o tree
// c++ -std=c++17 -O2 -ffp-contract=off -Itree/include -c tree/src/*.cpp tree/src/kernels/*.cpp
// cc -Itree/include main.c *.o -o spotter && ./spotter features.raw
#include <stdio.h>
#include <string.h>

#include "spotter.h"

enum { kFrames = 49, kFeatures = 10, kWords = 12, kStep = 10 };

static _Alignas(SPOTTER_ARENA_ALIGN) unsigned char arena[SPOTTER_ARENA_BYTES];

int main(int argc, char** argv) {
  static float window[kFrames * kFeatures], likely[kWords];
  const spotter_inputs inputs = {window};
  spotter_outputs outputs = {likely};
  spotter_context context;
  int status = spotter_init(&context, arena, sizeof arena, NULL, 0);
  FILE* const features = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (features == NULL) return 2;
  size_t wanted = kFrames;  // frames that the window lacks
  while (status == 0 && fread(window + (kFrames - wanted) * kFeatures, sizeof(float) * kFeatures, wanted, features) == wanted) {
    status = spotter_run(&context, &inputs, &outputs);
    int word = 0;
    for (int i = 1; i < kWords; ++i) word = likely[i] > likely[word] ? i : word;
    printf("%d\n", word);
    wanted = kStep;
    memmove(window, window + kStep * kFeatures, sizeof window - sizeof(float) * kStep * kFeatures);
  }
  if (status != 0) fprintf(stderr, "%s\n", spotter_strerror(status));
  fclose(features);
  return status;
}
