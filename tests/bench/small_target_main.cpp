// One network on a bare machine: how deep its stack is, and what it computes. The program around it
// gives network_begin(), network_run() and its outputs; arguments are counted, each is one run.
// Prints the bytes of stack as a number of 4 bytes, then the outputs.
#include "program.h"

extern "C" void network_begin(void);
extern "C" void network_run(void);
extern "C" const unsigned char network_outputs[];
extern "C" const unsigned network_output_bytes;

namespace {

constexpr unsigned kPainted = 4 * 1024 * 1024;  // of stack below this frame

// Volatile, and a frame of its own that is gone when the network runs.
__attribute__((noinline)) volatile unsigned char* paint() {
  volatile unsigned char area[kPainted];
  for (unsigned i = 0; i < kPainted; ++i) area[i] = 0xa5;
  volatile unsigned char* volatile at = area;
  return at;
}

}  // namespace

int program_main(int argc, char**) {
  network_begin();
  volatile unsigned char* const lowest = paint();
  for (int i = 1; i < argc; ++i) network_run();
  unsigned untouched = 0;
  while (untouched < kPainted && lowest[untouched] == 0xa5) ++untouched;
  const unsigned deepest = kPainted - untouched;
  program_write(1, &deepest, sizeof deepest);
  program_write(1, network_outputs, network_output_bytes);
  return 0;
}
