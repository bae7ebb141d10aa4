# SPDX-License-Identifier: Apache-2.0
# The installed package: find_package(xeforge) gives the targets xeforge::<room>.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/xeforge")

set_target_properties(xeforge_options PROPERTIES EXPORT_NAME options)
set_target_properties(xeforge_compiled_paths PROPERTIES EXPORT_NAME compiled_paths)
install(TARGETS xeforge_options xeforge_compiled_paths EXPORT xeforgeTargets)
install(EXPORT xeforgeTargets NAMESPACE xeforge:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/xeforgeConfig.cmake.in "${CMAKE_BINARY_DIR}/package/xeforgeConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/package/xeforgeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_BINARY_DIR}/package/xeforgeConfig.cmake"
  "${CMAKE_BINARY_DIR}/package/xeforgeConfigVersion.cmake"
  "${CMAKE_SOURCE_DIR}/cmake/dependencies.cmake"
  DESTINATION "${package_dir}")
if(EXISTS "${CMAKE_SOURCE_DIR}/include/xeforge")
  install(DIRECTORY include/xeforge DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
install(FILES "${CMAKE_BINARY_DIR}/generated/xeforge/compiled_paths.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/xeforge")
install(FILES LICENSE THIRD_PARTY_NOTICES.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
