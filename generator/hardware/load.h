// A description file becomes a Hardware. It is held against configs/schema.json (built into the
// program), then against the rules that a schema cannot say.
#pragma once

#include <string>
#include <string_view>

#include "hardware/hardware.h"

namespace burin {

// Refuses with file, line, column and JSON pointer: what hardware/json_file.h and hardware/schema.h
// refuse, and inconsistent-hardware (two fields that contradict each other).
Hardware load_hardware(const std::string& path);

// The same for text at hand; `name` stands for the file in messages.
Hardware parse_hardware(std::string_view text, const std::string& name);

// A listing of every field, one per line, for --dump-dir and for tests.
std::string to_string(const Hardware& hardware);

}  // namespace burin
