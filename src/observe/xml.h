// SPDX-License-Identifier: Apache-2.0
//
// Text for XML documents: JUnit reports, SVG.
#pragma once

#include <string>

namespace xeforge::observe {

/// `text` with what XML reserves escaped. Control characters, which XML cannot hold, become spaces; ends of lines and
/// tabs stay.
std::string xml_text(const std::string& text);
/// The same on one line, for the value of an attribute.
std::string xml_attribute(const std::string& text);

}  // namespace xeforge::observe
