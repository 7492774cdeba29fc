# Writes ops.def: one BURIN_OP(stem) line per file of ops/, sorted. A file without <stem>_op::definition() is a
# link error that names it; nothing registers itself at run time.
file(GLOB op_files CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/ops" "ops/*.cpp")
list(SORT op_files)
set(op_lines "")
foreach(op_file ${op_files})
  string(REGEX REPLACE "\\.cpp$" "" op_stem "${op_file}")
  string(APPEND op_lines "BURIN_OP(${op_stem})\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/ops.def" CONTENT "${op_lines}")
