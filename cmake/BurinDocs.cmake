# The man page and the completions of shells, printed by the program that they are of.
set(burin_docs_dir "${PROJECT_BINARY_DIR}/docs")
set(burin_docs)
foreach(one "man:burin.1" "bash:burin" "zsh:_burin" "fish:burin.fish")
  string(REPLACE ":" ";" one "${one}")
  list(GET one 0 kind)
  list(GET one 1 name)
  set(place "${burin_docs_dir}/${kind}/${name}")
  add_custom_command(OUTPUT "${place}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${burin_docs_dir}/${kind}"
    COMMAND burin docs ${kind} > "${place}"
    DEPENDS burin COMMENT "burin docs ${kind}" VERBATIM)
  list(APPEND burin_docs "${place}")
endforeach()
add_custom_target(burin_docs ALL DEPENDS ${burin_docs})
install(FILES "${burin_docs_dir}/man/burin.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${burin_docs_dir}/bash/burin" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${burin_docs_dir}/zsh/_burin" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${burin_docs_dir}/fish/burin.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
