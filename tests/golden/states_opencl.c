/* Steps of a decoder whose cache stays on the device, beside the same steps with the cache passed in
   and out, and with both mixed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chat.h"

enum { kTokens = 50, kRoom = 64, kCache = 4 * kRoom * 16, kSteps = 24, kStateBytes = 4 * kCache };

static float keys[kCache], values[kCache];
static chat_context kept, passed;

static void check(int32_t status) {
  if (status == 0) return;
  printf("status %d: %s\n", (int)status, chat_strerror(status));
  exit(1);
}

static void step(chat_context* context, int64_t token, int64_t past, float* in[2], float* out[2],
                 float* logits) {
  const chat_dims dims = {past};
  const chat_inputs inputs = {&token, in[0], in[1]};
  chat_outputs outputs = {logits, out[0], out[1]};
  check(chat_run(context, &dims, &inputs, &outputs));
}

int main(void) {
  float* none[2] = {NULL, NULL};
  float* cache[2] = {keys, values};
  int failures = 0;
  check(chat_init(&kept, NULL, 0, NULL, 0));
  check(chat_init(&passed, NULL, 0, NULL, 0));
  for (int past = 0; past < kSteps; ++past) {
    float here[kTokens], there[kTokens];
    const int64_t token = (past * 7 + 3) % kTokens;
    step(&passed, token, past, cache, cache, here);
    if (past == 12) {
      /* What the caller has replaces what the device has. */
      static float rubbish[kCache];
      float* other[2] = {rubbish, rubbish};
      step(&kept, 1, 0, other, none, there);
      step(&kept, token, past, cache, none, there);
    } else {
      step(&kept, token, past, none, none, there);
      /* Two states that stay: the token goes there, logits come back. */
      if (kept.bytes_to_device >= kStateBytes || kept.bytes_to_host >= kStateBytes ||
          kept.synchronisations != 0) {
        printf("step %d: %lld bytes to the device, %lld back, %lld waits\n", past,
               (long long)kept.bytes_to_device, (long long)kept.bytes_to_host,
               (long long)kept.synchronisations);
        ++failures;
      }
    }
    if (passed.bytes_to_device < 2 * kStateBytes || passed.bytes_to_host < 2 * kStateBytes) {
      printf("step %d: the cache was not passed\n", past);
      ++failures;
    }
    if (memcmp(here, there, sizeof here) != 0) {
      printf("step %d: other logits\n", past);
      ++failures;
    }
  }
  /* What stayed can be had. */
  static float k[kCache], v[kCache];
  float* mine[2] = {k, v};
  float here[kTokens], there[kTokens];
  step(&passed, 5, kSteps, cache, cache, here);
  step(&kept, 5, kSteps, none, mine, there);
  for (int head = 0; head < 4; ++head) {
    const size_t at = (size_t)(head * kRoom * 16), bytes = sizeof(float) * 16 * (kSteps + 1);
    if (memcmp(k + at, keys + at, bytes) != 0 || memcmp(v + at, values + at, bytes) != 0) {
      printf("head %d: another cache\n", head);
      ++failures;
    }
  }
  /* States of a new context are zeros, whatever length is said. */
  chat_release(&kept);
  memset(&kept, 0, sizeof kept);
  check(chat_init(&kept, NULL, 0, NULL, 0));
  memset(keys, 0, sizeof keys);
  memset(values, 0, sizeof values);
  step(&passed, 3, 5, cache, cache, here);
  step(&kept, 3, 5, none, none, there);
  if (memcmp(here, there, sizeof here) != 0) {
    printf("a new context: other logits\n");
    ++failures;
  }
  chat_release(&kept);
  chat_release(&passed);
  return failures == 0 ? 0 : 1;
}
