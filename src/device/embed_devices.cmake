# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=<devices/> -DOUTPUT=<file.cpp> -P embed_devices.cmake: the data files as string literals, so that a
# driver loaded into a foreign process needs no files.
file(GLOB files RELATIVE "${FOLDER}" "${FOLDER}/*.yaml" "${FOLDER}/families/*.yaml")
list(SORT files)
set(rows "")
foreach(name IN LISTS files)
  file(READ "${FOLDER}/${name}" text)
  string(REGEX REPLACE "\\.yaml$" "" name "${name}")
  string(APPEND rows "      {\"${name}\", R\"yaml(${text})yaml\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by embed_devices.cmake.
#include \"device/device_file.h\"

namespace xeforge::device {

const std::vector<EmbeddedFile>& embedded_files() {
  static const auto* files = new std::vector<EmbeddedFile>{
${rows}  };
  return *files;
}

}  // namespace xeforge::device
")
