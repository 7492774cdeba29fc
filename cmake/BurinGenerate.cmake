# burin_add_model: a network as a library target.
#
#   burin_add_model(<target> MODEL <file.onnx> CONFIG <file.json | name | host>
#                   [NAME <name>]            prefix of the C interface; default: <target>
#                   [DIM <symbol=1..64@1> ...]
#                   [WEIGHTS embed|blob]     default: burin's own choice
#                   [OPTIONS <flag> ...]     further flags of `burin generate`
#                   [DEPENDS <file> ...])    files beside the model that it needs, such as external data
#
# The tree is generated and compiled while building, by the toolchain of this build; both happen again when
# the model, the configuration or burin change. Link <target> (or burin::<target>) to get the library and
# its include folder. Properties of <target>:
#   BURIN_TREE      the folder of the emitted tree; its threads/ is a pool of threads, where the configuration has some
#   BURIN_WEIGHTS   weights/<name>.bin in it, for WEIGHTS blob
#
# The names of an emitted tree's sources depend on its content, so they are not known while configuring.
# That is why the tree is built through its own CMakeLists.txt into one archive with a known name.
include_guard(GLOBAL)

# Variables that select a toolchain, passed on to the build of the tree.
set(_burin_toolchain_variables
  CMAKE_TOOLCHAIN_FILE CMAKE_MAKE_PROGRAM CMAKE_CXX_COMPILER CMAKE_CXX_COMPILER_TARGET CMAKE_CXX_FLAGS
  CMAKE_CXX_COMPILER_LAUNCHER CMAKE_SYSROOT CMAKE_AR CMAKE_RANLIB CMAKE_POSITION_INDEPENDENT_CODE
  CMAKE_SYSTEM_NAME CMAKE_SYSTEM_PROCESSOR CMAKE_OSX_ARCHITECTURES CMAKE_OSX_SYSROOT
  ANDROID_ABI ANDROID_PLATFORM ANDROID_STL ANDROID_NDK)

function(burin_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL;CONFIG;NAME;WEIGHTS" "DIM;OPTIONS;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "burin_add_model(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(needed MODEL CONFIG)
    if(NOT arg_${needed})
      message(FATAL_ERROR "burin_add_model(${target}): ${needed} is missing")
    endif()
  endforeach()
  if(NOT arg_NAME)
    set(arg_NAME "${target}")
  endif()
  if(NOT arg_NAME MATCHES "^[A-Za-z][A-Za-z0-9_]*$")
    message(FATAL_ERROR "burin_add_model(${target}): NAME '${arg_NAME}' is not a C identifier")
  endif()
  _burin_find_config("${target}" "${arg_CONFIG}" config)
  cmake_path(ABSOLUTE_PATH arg_MODEL BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE model)

  set(config_file "${config}")
  if(config STREQUAL "host")
    set(config_file "")
  endif()

  set(work "${CMAKE_CURRENT_BINARY_DIR}/burin/${target}")
  set(tree "${work}/tree")
  set(archive "${work}/lib/${CMAKE_STATIC_LIBRARY_PREFIX}${arg_NAME}${CMAKE_STATIC_LIBRARY_SUFFIX}")
  set(flags --name "${arg_NAME}")
  foreach(dim IN LISTS arg_DIM)
    list(APPEND flags --dim "${dim}")
  endforeach()
  if(arg_WEIGHTS)
    list(APPEND flags --weights "${arg_WEIGHTS}")
  endif()

  # burin leaves unchanged files alone, time stamps included, so a stamp says when it last ran. Its
  # headers are copied because an imported target's include folder must exist while configuring, and burin writes
  # only into folders that are its own.
  set(include "${work}/include")
  file(MAKE_DIRECTORY "${include}")
  add_custom_command(
    OUTPUT "${work}/generated"
    BYPRODUCTS "${include}/${arg_NAME}.h" "${include}/${arg_NAME}_content.h"
    COMMAND burin::burin generate "${model}" --config "${config}" --output "${tree}" ${flags} ${arg_OPTIONS}
    COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${tree}/include/${arg_NAME}.h"
            "${tree}/include/${arg_NAME}_content.h" "${include}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${work}/generated"
    DEPENDS "${model}" ${config_file} ${arg_DEPENDS} burin::burin
    COMMENT "burin: ${arg_NAME} from ${arg_MODEL}"
    VERBATIM)

  string(TOUPPER "${arg_NAME}" macro)
  set(settings "-D${macro}_TESTS=OFF"
               "-DCMAKE_BUILD_TYPE=$<IF:$<BOOL:$<CONFIG>>,$<CONFIG>,Release>"
               "-DCMAKE_ARCHIVE_OUTPUT_DIRECTORY=$<1:${work}/lib>")
  foreach(variable IN LISTS _burin_toolchain_variables)
    if(DEFINED ${variable} AND NOT "${${variable}}" STREQUAL "")
      list(APPEND settings "-D${variable}=${${variable}}")
    endif()
  endforeach()
  add_custom_command(
    OUTPUT "${archive}"
    COMMAND "${CMAKE_COMMAND}" -S "${tree}" -B "${work}/build" -G "${CMAKE_GENERATOR}" ${settings}
    COMMAND "${CMAKE_COMMAND}" --build "${work}/build" --config "$<CONFIG>" --target "${arg_NAME}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${archive}"
    DEPENDS "${work}/generated"
    COMMENT "building the tree of ${arg_NAME}"
    VERBATIM)
  add_custom_target(${target}_tree DEPENDS "${archive}")

  add_library(${target} STATIC IMPORTED GLOBAL)
  add_library(burin::${target} ALIAS ${target})
  add_dependencies(${target} ${target}_tree)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${archive}"
    INTERFACE_INCLUDE_DIRECTORIES "${include}"
    BURIN_TREE "${tree}"
    BURIN_WEIGHTS "${tree}/weights/${arg_NAME}.bin")
endfunction()

# A configuration is a file, or the name of one that comes with burin.
function(_burin_find_config target given result)
  cmake_path(ABSOLUTE_PATH given BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE file)
  if(NOT EXISTS "${file}" AND given STREQUAL "host")
    # The machine that builds, as burin describes it.
    set(${result} host PARENT_SCOPE)
    return()
  endif()
  if(NOT EXISTS "${file}")
    set(shipped "${BURIN_CONFIGS_DIR}/${given}.json")
    if(NOT EXISTS "${shipped}")
      file(GLOB names RELATIVE "${BURIN_CONFIGS_DIR}" "${BURIN_CONFIGS_DIR}/*.json")
      list(FILTER names EXCLUDE REGEX "schema\\.json$")
      list(TRANSFORM names REPLACE "\\.json$" "")
      list(JOIN names ", " names)
      message(FATAL_ERROR "burin_add_model(${target}): there is no file ${file}, and CONFIG '${given}' is none that "
        "comes with burin: ${names}")
    endif()
    set(file "${shipped}")
  endif()
  set(${result} "${file}" PARENT_SCOPE)
endfunction()
