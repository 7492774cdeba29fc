# What is handed to users who build nothing: `cpack` makes a .deb and a .tar.gz, each with its SHA-256 beside it;
# the target burin_wheel a wheel for pip. The program in them is static (BURIN_STATIC, as the preset release has it).
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PACKAGE_NAME burin)
set(CPACK_PACKAGE_VENDOR "burin maintainers")
set(CPACK_PACKAGE_CONTACT "burin maintainers <maintainers@burin.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "source trees for ONNX networks")
set(CPACK_PACKAGE_DESCRIPTION "Reads a trained network (ONNX) and a description of one piece of hardware (JSON), and writes a
source tree in C++ or OpenCL that builds with nothing but a compiler.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_SYSTEM_NAME "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
if(NOT BURIN_STATIC)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_custom_target(burin_wheel
    COMMAND Python3::Interpreter "${CMAKE_CURRENT_LIST_DIR}/wheel.py" "$<TARGET_FILE:burin>" "${PROJECT_VERSION}"
            "${CMAKE_SYSTEM_PROCESSOR}" "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_BINARY_DIR}"
    DEPENDS burin VERBATIM)
endif()
