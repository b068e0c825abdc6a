# What the command half of the Driver room is generated from: the option table
# of nvcc, and the compatibility header as a string in the binary.

find_program(WARPLINT_TBLGEN NAMES llvm-tblgen-${LLVM_VERSION_MAJOR} llvm-tblgen
  HINTS "${LLVM_TOOLS_BINARY_DIR}" REQUIRED)
set(nvcc_options "${CMAKE_CURRENT_BINARY_DIR}/NvccOptions.inc")
add_custom_command(OUTPUT "${nvcc_options}"
  COMMAND "${WARPLINT_TBLGEN}" -gen-opt-parser-defs -I "${LLVM_INCLUDE_DIR}"
    "${CMAKE_CURRENT_SOURCE_DIR}/NvccOptions.td" -o "${nvcc_options}"
  DEPENDS NvccOptions.td
  COMMENT "Generating the option table of nvcc")

set(compat_header "${CMAKE_CURRENT_SOURCE_DIR}/compat/warplint_cuda_compat.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${compat_header}")
file(READ "${compat_header}" COMPAT_TEXT)
file(CONFIGURE OUTPUT CudaCompat.inc @ONLY
  CONTENT "R\"WARPLINT(@COMPAT_TEXT@)WARPLINT\"\n")

target_sources(warplintDriver PRIVATE
  ClangCommand.cpp
  NvccCommand.cpp
  NvccMacros.cpp
  Toolkit.cpp
  "${nvcc_options}")
target_include_directories(warplintDriver PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
target_compile_definitions(warplintDriver PRIVATE
  WARPLINT_CLANG_RESOURCE_DIR="${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}"
  WARPLINT_CLANG_DRIVER="${LLVM_TOOLS_BINARY_DIR}/clang++")
