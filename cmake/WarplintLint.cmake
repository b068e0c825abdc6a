# warplint_add_lint(TARGET [NAME name] [REPORT_ONLY] [OPTIONS option...])
#
# Adds the build target `name` (default: TARGET-lint), which runs Warplint over
# the CUDA sources of TARGET, as one program, with TARGET's own flags: .cu files,
# and those whose LANGUAGE is CUDA. It fails when there are findings;
# with REPORT_ONLY only when something could not be analysed. OPTIONS are
# warplint's (--checks=..., --format=sarif). All lint targets together are
# `warplint-lint`.
#
# Where CMake compiles CUDA and writes a compile database, the commands come from
# there. Else they are made of TARGET's include directories, definitions, options,
# standard and CUDA_ARCHITECTURES, with those of what it links: then no nvcc is
# needed, nor CUDA as a language. Properties of single source files are not seen.

set(WARPLINT_RUN_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/WarplintRun.cmake")

function(warplint_add_lint target)
  cmake_parse_arguments(PARSE_ARGV 1 LINT "REPORT_ONLY" "NAME" "OPTIONS")
  if(LINT_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warplint_add_lint: what is '${LINT_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "warplint_add_lint: there is no target '${target}'")
  endif()
  if(NOT LINT_NAME)
    set(LINT_NAME "${target}-lint")
  endif()
  get_target_property(source_dir "${target}" SOURCE_DIR)
  get_target_property(exports "${target}" EXPORT_COMPILE_COMMANDS)
  set(language CXX)
  set(database "")
  if(CMAKE_CUDA_COMPILER)
    set(language CUDA)
    if(exports AND CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
      set(database "${CMAKE_BINARY_DIR}")
    endif()
  elseif(NOT CMAKE_CXX_COMPILER)
    set(language C)
  endif()

  # Read by WarplintRun.cmake, a list a line. Written for each language, as only
  # there $<COMPILE_LANGUAGE:...> in a property has a meaning.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/warplint/${LINT_NAME}/$<CONFIG>")
  set(of "$<TARGET_PROPERTY:${target},")
  file(GENERATE OUTPUT "${folder}/$<COMPILE_LANGUAGE>.txt"
    CONTENT "${of}SOURCES>
${of}INCLUDE_DIRECTORIES>
${of}INTERFACE_SYSTEM_INCLUDE_DIRECTORIES>
${of}COMPILE_DEFINITIONS>
${of}COMPILE_OPTIONS>
${of}CUDA_STANDARD>
${of}CXX_STANDARD>
${of}CUDA_ARCHITECTURES>
" TARGET "${target}")
  add_custom_target("${LINT_NAME}"
    COMMAND "${CMAKE_COMMAND}"
      "-DWARPLINT=$<TARGET_FILE:Warplint::warplint>"
      "-DLISTS=${folder}/${language}.txt"
      "-DDATABASE=${database}"
      "-DCUDA_SOURCES=$<JOIN:$<TARGET_PROPERTY:${LINT_NAME},WARPLINT_CUDA_SOURCES>,|>"
      "-DREPORT_ONLY=${LINT_REPORT_ONLY}"
      -P "${WARPLINT_RUN_SCRIPT}" -- ${LINT_OPTIONS}
    WORKING_DIRECTORY "${source_dir}"
    COMMENT "Warplint: ${target}"
    VERBATIM USES_TERMINAL)
  # Sources may be added, and get their language, after this.
  cmake_language(EVAL CODE
    "cmake_language(DEFER CALL _warplint_cuda_sources [[${target}]] [[${LINT_NAME}]])")
  if(NOT TARGET warplint-lint)
    add_custom_target(warplint-lint)
  endif()
  add_dependencies(warplint-lint "${LINT_NAME}")
endfunction()

# Sources that are CUDA by their LANGUAGE and not by their name; those that the
# build makes are made first.
function(_warplint_cuda_sources target lint)
  get_target_property(sources "${target}" SOURCES)
  set(found "")
  set(made "")
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\$<")
      get_source_file_property(language "${source}" TARGET_DIRECTORY "${target}" LANGUAGE)
      if(language STREQUAL "CUDA" AND NOT source MATCHES "\\.cu$")
        list(APPEND found "${source}")
      endif()
      get_source_file_property(generated "${source}" TARGET_DIRECTORY "${target}" GENERATED)
      if(generated)
        list(APPEND made "${source}")
      endif()
    endif()
  endforeach()
  set_property(TARGET "${lint}" PROPERTY WARPLINT_CUDA_SOURCES "${found}")
  get_target_property(source_dir "${target}" SOURCE_DIR)
  if(made AND source_dir STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    add_custom_target("${lint}-sources" DEPENDS ${made})
    add_dependencies("${lint}" "${lint}-sources")
    # Or both would run the commands that make them, at once.
    add_dependencies("${target}" "${lint}-sources")
  elseif(made)
    # What another directory makes is known to its own targets alone.
    add_dependencies("${lint}" "${target}")
  endif()
endfunction()
