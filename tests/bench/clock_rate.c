// Prints the clock of the core that runs it, in MHz: additions that wait for each other take a
// cycle each. The step stands in a register: some cores add constants before they issue anything,
// several in a cycle. In time of its own, the greatest of several rates.
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

int main(void) {
  double greatest = 0;
  for (int round = 0; round < 8; ++round) {
    const int64_t turns = 1000000, additions = 16;
    uint64_t sum = 0, step = 3;
    __asm__ volatile("" : "+r"(step));
    const double start = now();
    for (int64_t i = 0; i < turns; ++i) {
#pragma GCC unroll 16
      for (int k = 0; k < 16; ++k) {
        sum += step;
        // The compiler cannot see through an empty piece of assembly.
        __asm__ volatile("" : "+r"(sum), "+r"(step));
      }
    }
    const double rate = (double)(turns * additions) / (now() - start) * 1e-6;
    if (rate > greatest) greatest = rate;
  }
  printf("%.0f\n", greatest);
  return 0;
}
