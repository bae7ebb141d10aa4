// SPDX-License-Identifier: Apache-2.0
#include "observe/xml.h"

namespace xeforge::observe {

std::string xml_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return out;
}

std::string xml_attribute(const std::string& text) {
  std::string out = xml_text(text);
  for (char& c : out)
    if (c == '\n' || c == '\t') c = ' ';
  return out;
}

}  // namespace xeforge::observe
