# The warnings that our own code is held to. A target takes them by linking burin::warnings privately.
add_library(burin_warnings INTERFACE)
add_library(burin::warnings ALIAS burin_warnings)
target_compile_options(burin_warnings INTERFACE -Wall -Wextra -Werror -ffp-contract=off)
