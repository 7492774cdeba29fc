# The warnings that our own code is held to. A target takes them by linking burin::warnings privately.
# GCC 12 sees an overlap in std::string's operator+ at -O2 that is not there (its bug 105651).
add_library(burin_warnings INTERFACE)
add_library(burin::warnings ALIAS burin_warnings)
target_compile_options(burin_warnings INTERFACE -Wall -Wextra -Werror -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
