# The warnings that our own code is held to. A target takes them by linking burin::warnings privately.
# GCC 12 sees an overlap in std::string's operator+ at -O2 that is not there (its bug 105651).
# Errors only where the presets of developers or the environment of continuous integration say so: another
# compiler's new warning stops no user.
option(BURIN_WARNINGS_AS_ERRORS "compile with -Werror" $ENV{BURIN_WARNINGS_AS_ERRORS})
add_library(burin_warnings INTERFACE)
add_library(burin::warnings ALIAS burin_warnings)
target_compile_options(burin_warnings INTERFACE -Wall -Wextra -ffp-contract=off
  $<$<BOOL:${BURIN_WARNINGS_AS_ERRORS}>:-Werror>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
