# SPDX-License-Identifier: Apache-2.0
# xeforge_room(NAME <room> SOURCES <file>... [LIBS <target>...] [PRIVATE_LIBS <target>...] [PRECOMPILE <header>...]
#              [HEADERS_ONLY])
# The library target xeforge_<room> (alias xeforge::<room>) of a folder of src/, with its part of the installation.
# LIBS are what its headers need too; PRIVATE_LIBS only its sources. PRECOMPILE: precompiled_headers.cmake.
function(xeforge_room)
  cmake_parse_arguments(PARSE_ARGV 0 arg "HEADERS_ONLY" "NAME" "SOURCES;LIBS;PRIVATE_LIBS;PRECOMPILE")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "xeforge_room: NAME is needed; not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(target xeforge_${arg_NAME})
  if(arg_HEADERS_ONLY)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE xeforge_options ${arg_LIBS})
  else()
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PUBLIC xeforge_options ${arg_LIBS} PRIVATE ${arg_PRIVATE_LIBS})
    xeforge_precompile(${target} ${arg_PRECOMPILE})
  endif()
  add_library(xeforge::${arg_NAME} ALIAS ${target})
  xeforge_install_room(${target} ${arg_NAME})
endfunction()

# xeforge_install_room(<target> <room>): puts a room's library and headers into the exported package. For rooms that
# make their target themselves.
function(xeforge_install_room target room)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
  install(TARGETS ${target} EXPORT xeforgeTargets
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/xeforge/rooms/${room}"
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
endfunction()

# xeforge_loader_name(<target>): offers a driver library under the name of the Level Zero loader too, in lib/loader/: a
# program whose library path begins there finds the driver without any loader.
function(xeforge_loader_name target)
  set(name libze_loader.so.1)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory "$<TARGET_FILE_DIR:${target}>/loader"
    COMMAND ${CMAKE_COMMAND} -E create_symlink "../$<TARGET_FILE_NAME:${target}>" "$<TARGET_FILE_DIR:${target}>/loader/${name}"
    VERBATIM)
  install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(CODE "
    set(loader_dir \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/loader\")
    file(MAKE_DIRECTORY \"\${loader_dir}\")
    file(CREATE_LINK \"../$<TARGET_FILE_NAME:${target}>\" \"\${loader_dir}/${name}\" SYMBOLIC)
    message(STATUS \"Installing: \${loader_dir}/${name}\")")
endfunction()
