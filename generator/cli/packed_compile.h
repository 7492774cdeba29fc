// A compiler's object by way of packed assembly: what `burin pack --compile` stands in front of.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace burin {

// Runs the command, as build systems give it to a launcher. Where it compiles one source to one
// object (-c, -o), it writes assembly instead, `pack` its packets, and the compiler an object of
// that; else it runs as it is. What the compiler says goes to stderr; its exit code.
int compile_packed(
    std::vector<std::string> command,
    const std::function<std::string(const std::string& text, const std::string& name)>& pack);

}  // namespace burin
