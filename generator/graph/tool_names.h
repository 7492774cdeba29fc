// Names that exporters, converters and optimisers give to every graph.
#pragma once

#include <string_view>

namespace burin {

// Whether a graph's name is a tool's, so that it says nothing about the model.
bool is_tool_name(std::string_view graph);

}  // namespace burin
