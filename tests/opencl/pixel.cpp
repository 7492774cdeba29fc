// A libOpenCL-pixel.so as Pixel phones have it: it exports no function of OpenCL, but one that
// names them, which has none before another has switched it on. They are librecorder.so's
// (recorder.cpp).
#include <dlfcn.h>

namespace {
void* library = nullptr;
}

extern "C" void enableOpenCL() { library = dlopen("librecorder.so", RTLD_NOW); }

extern "C" void* loadOpenCLPointer(const char* name) {
  return library != nullptr ? dlsym(library, name) : nullptr;
}
