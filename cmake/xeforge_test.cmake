# SPDX-License-Identifier: Apache-2.0
# xeforge_test(NAME <name> SOURCES <file>... [LIBS <target>...] [LABELS <label>...] [TIMEOUT <s>] [ENVIRONMENT <VAR=value>...]
#              [PROCESSORS <n>])
# A GoogleTest program and its one entry in ctest, named <folder>.<name>; the folder is a label as well. The label `long`
# keeps an entry out of `make test`; `make check-all` runs it. The tests see XEFORGE_TEST_SOURCE_DIR, their own folder.
include_guard(GLOBAL)
if(XEFORGE_TESTS)
  find_package(GTest REQUIRED)
  if(NOT TARGET xeforge::gtest)
    add_library(xeforge::gtest INTERFACE IMPORTED GLOBAL)
    target_link_libraries(xeforge::gtest INTERFACE GTest::gmock GTest::gtest GTest::gtest_main)
  endif()
  # Programs that exist for their precompiled headers: what all tests include, and what those of SYCL's users include.
  if(XEFORGE_PRECOMPILED_HEADERS)
    set(nothing "${CMAKE_BINARY_DIR}/generated/nothing.cpp")
    file(CONFIGURE OUTPUT "${nothing}" CONTENT "int main() { return 0; }\n")
    add_executable(xeforge_test_headers "${nothing}")
    target_link_libraries(xeforge_test_headers PRIVATE xeforge_options xeforge::gtest)
    xeforge_precompile(xeforge_test_headers <gmock/gmock.h> <gtest/gtest.h>)
    if(TARGET xeforge::sycl)
      add_executable(xeforge_sycl_test_headers "${nothing}")
      target_link_libraries(xeforge_sycl_test_headers PRIVATE xeforge_options xeforge::gtest xeforge::sycl)
      xeforge_precompile(xeforge_sycl_test_headers <gmock/gmock.h> <gtest/gtest.h> <sycl/sycl.hpp>)
    endif()
  endif()
endif()

# xeforge_test_precompiled(<target>): for a program of tests that is not made by xeforge_test.
function(xeforge_test_precompiled target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(libraries MATCHES "xeforge(::|_)(gemm|lab|sycl)")
    xeforge_precompile_like(${target} xeforge_sycl_test_headers)
  else()
    xeforge_precompile_like(${target} xeforge_test_headers)
  endif()
endfunction()

function(xeforge_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT;PROCESSORS" "SOURCES;LIBS;LABELS;ENVIRONMENT")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "xeforge_test: NAME and SOURCES are needed; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  set(target ${folder}_${arg_NAME}_test)
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE xeforge_options ${arg_LIBS} xeforge::gtest)
  target_compile_definitions(${target} PRIVATE XEFORGE_TEST_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/bin")
  xeforge_test_precompiled(${target})
  add_test(NAME ${folder}.${arg_NAME} COMMAND ${target})
  xeforge_test_properties(${folder}.${arg_NAME} "${arg_LABELS}" "${arg_TIMEOUT}" "${arg_ENVIRONMENT}" "${arg_PROCESSORS}")
endfunction()

# xeforge_test_command(NAME <name> COMMAND <command>... [LABELS ...] [TIMEOUT ...] [ENVIRONMENT ...] [PROCESSORS ...])
# The same for a test that is a command, such as a script.
function(xeforge_test_command)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT;PROCESSORS" "COMMAND;LABELS;ENVIRONMENT")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_COMMAND)
    message(FATAL_ERROR "xeforge_test_command: NAME and COMMAND are needed; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  add_test(NAME ${folder}.${arg_NAME} COMMAND ${arg_COMMAND})
  xeforge_test_properties(${folder}.${arg_NAME} "${arg_LABELS}" "${arg_TIMEOUT}" "${arg_ENVIRONMENT}" "${arg_PROCESSORS}")
endfunction()

# The library path of a program that is to find the virtual device's driver first. Behind it SYCL's own libraries: under
# the address sanitizer, which stands in front of dlopen, the runtime's RUNPATH is not searched for its compiler.
function(xeforge_library_path variable)
  set(${variable} "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/loader:${XEFORGE_SYCL_ROOT}/lib" PARENT_SCOPE)
endfunction()

function(xeforge_test_properties name labels timeout environment processors)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  if(NOT timeout)
    set(timeout 300)
  endif()
  if(XEFORGE_SANITIZE)
    math(EXPR timeout "${timeout} * 10")
    list(APPEND environment "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/leaks_of_others.supp:print_suppressions=0"
      "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/threads_of_others.supp:print_suppressions=0")
    # SYCL's compiler library has an operator new of its own; what it allocates SYCL frees with the one that the address
    # sanitizer watches. The rooms that SYCL programs do not run in keep that check.
    if(NOT folder MATCHES "^(isa|binary|device|machine|observe|timing|compile)$")
      list(APPEND environment "ASAN_OPTIONS=alloc_dealloc_mismatch=0")
    endif()
    if(NOT environment MATCHES "LD_LIBRARY_PATH=")
      list(APPEND environment "LD_LIBRARY_PATH=${XEFORGE_SYCL_ROOT}/lib")
    endif()
  endif()
  if(NOT processors)
    set(processors 1)
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS "${folder};${labels}"
    TIMEOUT ${timeout}
    PROCESSORS ${processors}
    ENVIRONMENT "${environment}")
endfunction()
