# Builds files of the project into the program: templates/**, runtime_min/**, the descriptions in configs/ and the packer's machines become
# byte arrays in one generated source (support/embedded.h is how they are read). Run as a script
# (cmake -DLIST=... -DROOT=... -DOUTPUT=... -P embed.cmake) it writes that source; included, it adds the
# command that does so to burin_generator. A file is embedded by being there.
if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS "${LIST}" paths)
  set(arrays "")
  set(table "")
  set(count 0)
  foreach(path IN LISTS paths)
    file(READ "${ROOT}/${path}" hex HEX)
    file(SIZE "${ROOT}/${path}" size)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    # The closing zero lets an empty file be an array too; it is not counted.
    string(APPEND arrays "const unsigned char kFile${count}[] = {${bytes}0};\n")
    string(APPEND table "    {\"${path}\", kFile${count}, ${size}},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  file(WRITE "${OUTPUT}" "// Made by generator/embed.cmake.\n#include \"support/embedded_data.h\"\n\n"
    "namespace burin {\nnamespace {\n${arrays}}  // namespace\n\n"
    "const EmbeddedFile kEmbeddedFiles[] = {\n${table}};\n"
    "const size_t kEmbeddedFileCount = ${count};\n\n}  // namespace burin\n")
  return()
endif()

file(GLOB_RECURSE embedded_paths RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/templates/*" "${PROJECT_SOURCE_DIR}/runtime_min/*")
list(FILTER embedded_paths EXCLUDE REGEX "/(README\\.md|LICENSE)$")
file(GLOB embedded_configs RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/configs/*.json" "${PROJECT_SOURCE_DIR}/configs/vliw/*.json")
# Of the schemas, only that of descriptions is read.
list(FILTER embedded_configs EXCLUDE REGEX "(analyze|manifest)\\.schema\\.json$")
list(APPEND embedded_paths ${embedded_configs})
list(SORT embedded_paths COMPARE STRING)
string(REPLACE ";" "\n" embedded_list "${embedded_paths}")
set(embedded_list_file "${CMAKE_CURRENT_BINARY_DIR}/embedded_files.txt")
file(CONFIGURE OUTPUT "${embedded_list_file}" CONTENT "${embedded_list}\n" @ONLY)

set(embedded_source "${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cpp")
list(TRANSFORM embedded_paths PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE embedded_inputs)
add_custom_command(
  OUTPUT "${embedded_source}"
  COMMAND "${CMAKE_COMMAND}" "-DLIST=${embedded_list_file}" "-DROOT=${PROJECT_SOURCE_DIR}"
          "-DOUTPUT=${embedded_source}" -P "${CMAKE_CURRENT_LIST_FILE}"
  DEPENDS ${embedded_inputs} "${embedded_list_file}" "${CMAKE_CURRENT_LIST_FILE}"
  COMMENT "Embedding templates/, runtime_min/ and configs/"
  VERBATIM)
target_sources(burin_generator PRIVATE "${embedded_source}")
