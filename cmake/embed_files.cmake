# SPDX-License-Identifier: Apache-2.0
# xeforge_embed_files(OUTPUT <file.cpp> BASE <directory> HEADER <header> FUNCTION <qualified::function> FILES <file>...)
# Writes a source file that defines FUNCTION, declared in HEADER, as
#   std::span<const T> FUNCTION()   with T{name relative to BASE, text}.
# Also run as a script (cmake -P) with the same names as -D definitions.
if(CMAKE_SCRIPT_MODE_FILE)
  set(rows "")
  foreach(file IN LISTS FILES)
    file(READ "${BASE}/${file}" text)
    string(APPEND rows "    {\"${file}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  string(REGEX REPLACE "::[^:]*$" "" namespace "${FUNCTION}")
  string(REGEX REPLACE "^.*::" "" name "${FUNCTION}")
  file(WRITE "${OUTPUT}" "// Written by embed_files.cmake.
#include \"${HEADER}\"

namespace ${namespace} {

std::span<const EmbeddedFile> ${name}() {
  static const EmbeddedFile files[] = {
${rows}  };
  return files;
}

}  // namespace ${namespace}
")
  return()
endif()

set(xeforge_embed_files_script "${CMAKE_CURRENT_LIST_FILE}")
function(xeforge_embed_files)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT;BASE;HEADER;FUNCTION" "FILES")
  set(depends "")
  foreach(file IN LISTS arg_FILES)
    list(APPEND depends "${arg_BASE}/${file}")
  endforeach()
  add_custom_command(OUTPUT "${arg_OUTPUT}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${arg_OUTPUT}" "-DBASE=${arg_BASE}" "-DHEADER=${arg_HEADER}" "-DFUNCTION=${arg_FUNCTION}"
      "-DFILES=${arg_FILES}" -P "${xeforge_embed_files_script}"
    DEPENDS ${depends} "${xeforge_embed_files_script}"
    VERBATIM)
endfunction()
