/* Networks of one tree that use the device and weights of the network that runs them all: the same results
   as with their own, nothing is there twice, nothing is left. Any argument: kernels do nothing (tests/opencl/recorder.cpp
   in the place of libOpenCL), so only what is called is looked at. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "branches.h"
#include "pair.h"

enum { kOk = 0, kInvalid = 10, kNotInitialised = 11, kX = 2 * 6 * 8 * 8, kRows = 3 * 200, kY = 2 * 38 * 4 * 4 };

static int failures = 0;

static void expect(const char* what, int32_t got, int32_t wanted) {
  if (got == wanted) return;
  printf("%s: status %d (%s), expected %d\n", what, (int)got, branches_strerror(got), (int)wanted);
  ++failures;
}

static float x[kX], rows[kRows], soft[2 * 3 * 4];
static float results[3][kY + 2 * kRows], more[2][2 * 3 * 4];

static void run_branches(branches_context* context, float* to) {
  const branches_dims dims = {2, 8, 8, 3};
  const branches_inputs in = {x, rows};
  branches_outputs out = {to, to + kY, to + kY + kRows};
  expect("branches_run", branches_run(context, &dims, &in, &out), kOk);
}

int main(int argc, char** argv) {
  static branches_context own, part;
  static pair_context whole;
  branches_opencl given;
  (void)argv;
  for (int i = 0; i < kX; ++i) x[i] = (float)(i * 37 % 101) / 50.0f - 1.0f;
  for (int i = 0; i < kRows; ++i) rows[i] = (float)(i * 53 % 97) / 40.0f - 1.0f;
  for (int i = 0; i < 2 * 3 * 4; ++i) soft[i] = (float)i / 5.0f;
  memset(&given, 0, sizeof given);
  given.whole = &whole;
  expect("the whole is not there", branches_init_opencl(&part, &given, NULL, 0), kNotInitialised);
  expect("pair_init", pair_init(&whole, NULL, 0, NULL, 0), kOk);
  given.queue = &given;
  expect("a queue as well", branches_init_opencl(&part, &given, NULL, 0), kInvalid);
  given.queue = NULL;
  expect("branches_init_opencl", branches_init_opencl(&part, &given, NULL, 0), kOk);
  run_branches(&part, results[0]);
  {
    const pair_dims dims = {2, 8, 8, 3, 2, 3, 4};
    const pair_inputs in = {x, rows, soft};
    pair_outputs out = {results[1], results[1] + kY, results[1] + kY + kRows, more[0], more[1]};
    expect("pair_run", pair_run(&whole, &dims, &in, &out), kOk);
  }
  branches_release(&part);
  pair_release(&whole);
  if (argc == 1) {
    expect("branches_init", branches_init(&own, NULL, 0, NULL, 0), kOk);
    run_branches(&own, results[2]);
    branches_release(&own);
    if (memcmp(results[0], results[2], sizeof results[0]) != 0) {
      printf("results of a part differ\n");
      ++failures;
    }
    if (memcmp(results[1], results[2], sizeof results[0]) != 0) {
      printf("results of the joint run differ\n");
      ++failures;
    }
  }
  return failures != 0;
}
