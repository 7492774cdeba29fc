# How burin itself is compiled quickly. Most of a usual file's time is headers: the standard library's are compiled
# once, and files of one folder are compiled several at a time. That every header stands alone is a test
# (tests/unit/lint_header_test.cpp); the preset `dev` compiles all but operators one by one, with the same precompiled headers.
option(BURIN_GROUPED "compile several files of a folder as one; OFF compiles less after an edit" ON)

set(BURIN_PRECOMPILED <algorithm> <array> <cstdint> <functional> <map> <memory> <numeric> <optional> <set> <string>
                      <string_view> <utility> <variant> <vector>)

# burin_group_sources(<target> <source> ...): operators 32 at a time, other files 12, in the order of their names.
# Operators are small, and each has a namespace of its own, so they are grouped in every build. Rooms of a folder are
# grouped with the folder: a unit of two or three files would be headers for the most part.
function(burin_group_sources target)
  set(folders "")
  foreach(source IN LISTS ARGN)
    get_filename_component(folder "${source}" DIRECTORY)
    if(NOT folder MATCHES "/select/(programs|integers)$")
      string(REGEX REPLACE "/generator/(kernel|fuse|plan|select|ops/api)/[^/]+$" "/generator/\\1" folder "${folder}")
    endif()
    list(APPEND folders "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" name)
    list(APPEND sources_of_${name} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(most 12)
    if(folder MATCHES "/ops$")
      set(most 32)
    elseif(NOT BURIN_GROUPED)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" name)
    set(count 0)
    foreach(source IN LISTS sources_of_${name})
      math(EXPR group "${count} / ${most}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${name}_${group}")
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
