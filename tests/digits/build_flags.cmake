# Prints the compiler flags that an emitted tree asks for, those of its first compiler among them:
#   cmake -DMANIFEST=<manifest.json> -P build_flags.cmake
file(READ "${MANIFEST}" manifest)
string(JSON standard GET "${manifest}" build standard)
set(flags "-std=${standard}")

# append_flags(KEY ...): the strings of one array of the manifest
function(append_flags)
  string(JSON count LENGTH "${manifest}" ${ARGN})
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON flag GET "${manifest}" ${ARGN} ${i})
      string(APPEND flags " ${flag}")
    endforeach()
  endif()
  set(flags "${flags}" PARENT_SCOPE)
endfunction()

append_flags(build flags)
append_flags(build compilers 0 flags)
execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${flags}")
