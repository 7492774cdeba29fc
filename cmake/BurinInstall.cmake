# What other projects use: the burin program, burin_add_model() and the hardware descriptions. Offered in
# this build (add_subdirectory), and installed as the package "burin" (find_package).
include(CMakePackageConfigHelpers)

add_executable(burin::burin ALIAS burin)
set(BURIN_CONFIGS_DIR "${PROJECT_SOURCE_DIR}/configs" CACHE INTERNAL "hardware descriptions")
include("${CMAKE_CURRENT_LIST_DIR}/BurinGenerate.cmake")

set(burin_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/burin")
install(TARGETS burin EXPORT burin-targets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(EXPORT burin-targets NAMESPACE burin:: DESTINATION "${burin_package_dir}")
install(DIRECTORY configs/ DESTINATION "${CMAKE_INSTALL_DATADIR}/burin/configs")
# What help texts name: the runner of `burin tune` and its parts, where they look for each other.
install(FILES tests/bench/tune_runner.py tests/bench/tree.py tests/bench/opencl_profile.py tests/bench/tree_driver.cpp.in
  DESTINATION "${CMAKE_INSTALL_DATADIR}/burin/tests/bench")
install(DIRECTORY runtime_min/ DESTINATION "${CMAKE_INSTALL_DATADIR}/burin/runtime_min" FILES_MATCHING PATTERN "*.h")
install(FILES tests/opencl/profiler.cpp tests/opencl/forward.h DESTINATION "${CMAKE_INSTALL_DATADIR}/burin/tests/opencl")
install(FILES cmake/BurinGenerate.cmake DESTINATION "${burin_package_dir}")
configure_package_config_file(cmake/burin-config.cmake.in "${PROJECT_BINARY_DIR}/burin-config.cmake"
  INSTALL_DESTINATION "${burin_package_dir}" PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/burin-config-version.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/burin-config.cmake" "${PROJECT_BINARY_DIR}/burin-config-version.cmake"
  DESTINATION "${burin_package_dir}")
