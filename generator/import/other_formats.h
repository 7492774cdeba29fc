// What a file is that is no ONNX model: exporters, downloads and version control leave many kinds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burin {

// Refuses files of known other formats, with the way out; all others pass. Reads the first bytes
// alone. None of what it refuses is the beginning of a ModelProto of a supported version.
void refuse_other_formats(std::string_view bytes);

// Refuses a folder in the place of a model, with the way out where what it holds, sorted, says it.
[[noreturn]] void refuse_folder(const std::vector<std::string>& held);

}  // namespace burin
