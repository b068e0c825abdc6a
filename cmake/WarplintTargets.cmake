# How every target of Warplint is compiled and linked: warnings are errors, no
# exceptions and no RTTI (as LLVM itself), the shared clang-cpp and LLVM.

option(WARPLINT_WERROR "Treat warnings as errors" ON)
option(WARPLINT_SANITIZE "Build with AddressSanitizer and UBSan" OFF)

add_library(warplint_flags INTERFACE)
target_include_directories(warplint_flags INTERFACE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
# The headers of LLVM and Clang are not ours to keep free of warnings.
target_include_directories(warplint_flags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(warplint_flags INTERFACE ${LLVM_DEFINITIONS})
target_compile_options(warplint_flags INTERFACE
  -fno-exceptions -fno-rtti -Wall -Wextra -Wno-unused-parameter
  $<$<BOOL:${WARPLINT_WERROR}>:-Werror>)
if(WARPLINT_SANITIZE)
  target_compile_options(warplint_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer -fno-sanitize=vptr,function)
  target_link_options(warplint_flags INTERFACE -fsanitize=address,undefined)
endif()

# warplint_add_room(NAME sources... [ROOMS rooms before it...])
# One static library a room: warplintNAME.
function(warplint_add_room NAME)
  cmake_parse_arguments(ROOM "" "" "ROOMS" ${ARGN})
  add_library(warplint${NAME} STATIC ${ROOM_UNPARSED_ARGUMENTS})
  target_link_libraries(warplint${NAME} PUBLIC warplint_flags)
  foreach(before IN LISTS ROOM_ROOMS)
    target_link_libraries(warplint${NAME} PUBLIC warplint${before})
  endforeach()
endfunction()

# warplint_add_tool(NAME sources... ROOMS rooms...)
function(warplint_add_tool NAME)
  cmake_parse_arguments(TOOL "" "" "ROOMS" ${ARGN})
  add_executable(${NAME} ${TOOL_UNPARSED_ARGUMENTS})
  foreach(room IN LISTS TOOL_ROOMS)
    target_link_libraries(${NAME} PRIVATE warplint${room})
  endforeach()
  target_link_libraries(${NAME} PRIVATE clang-cpp LLVM)
  install(TARGETS ${NAME} RUNTIME DESTINATION bin)
endfunction()

option(WARPLINT_PRECOMPILE "Precompile clang's headers for the rooms that read its AST" ON)

# warplint_precompile_clang(FIRST others...): the rooms share FIRST's
# precompiled headers. Halves the time these rooms take to compile (76 to 38 s of
# one core for Driver and Launch).
function(warplint_precompile_clang FIRST)
  if(NOT WARPLINT_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(warplint${FIRST} PRIVATE
    "${PROJECT_SOURCE_DIR}/cmake/ClangHeaders.h")
  foreach(room IN LISTS ARGN)
    target_precompile_headers(warplint${room} REUSE_FROM warplint${FIRST})
  endforeach()
endfunction()
