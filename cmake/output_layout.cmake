# SPDX-License-Identifier: Apache-2.0
# Programs come out in bin/, libraries in lib/ of the build directory; `make build` links build/xeforge and build/lib
# to the release build's.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
# The compiler side stays where setup put it, installed or not.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
