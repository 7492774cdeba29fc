// Compiled for the precompiled header that all test programs share (tests/CMakeLists.txt).
