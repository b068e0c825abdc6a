# What `cmake --install` leaves and `cpack -G DEB` packs; works wherever it is
# put, as long as LLVM's libraries stay where they were at build time.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The module's place is one for programs that load it by name.
set(WARPLINT_LIBDIR lib)
set(package_dir "${WARPLINT_LIBDIR}/cmake/Warplint")
configure_package_config_file(cmake/WarplintConfig.cmake.in
  "${PROJECT_BINARY_DIR}/package/WarplintConfig.cmake"
  INSTALL_DESTINATION "${package_dir}"
  PATH_VARS CMAKE_INSTALL_BINDIR WARPLINT_LIBDIR)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/package/WarplintConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/WarplintConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/WarplintConfigVersion.cmake"
  cmake/WarplintLint.cmake cmake/WarplintRun.cmake
  DESTINATION "${package_dir}")
install(FILES README.md CONTRIBUTING.md LICENSE DESTINATION share/doc/warplint)
install(FILES LICENSE DESTINATION share/doc/warplint RENAME copyright)
install(DIRECTORY docs DESTINATION share/doc/warplint
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")

set(CPACK_PACKAGE_NAME warplint)
set(CPACK_PACKAGE_VENDOR Warplint)
set(CPACK_PACKAGE_CONTACT "The Warplint project <warplint@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds slow memory accesses in CUDA kernels, without a GPU")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# dpkg-shlibdeps does not find libLLVM's package; clang's own headers, and a C++
# library to parse with, are not linked.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "libllvm${LLVM_VERSION_MAJOR}, libclang-common-${LLVM_VERSION_MAJOR}-dev, libstdc++-12-dev | libstdc++-dev")
# --diff asks git.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-tidy-${LLVM_VERSION_MAJOR}, git")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit")
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
include(CPack)
