#include "verify/tool.h"

#include <csignal>
#include <cstring>

#include "support/diagnostics.h"

namespace burin {
namespace {

constexpr size_t kMostLines = 12;
constexpr size_t kLongestLine = 400;

// Tools quote the names of models: nothing of theirs may steer a terminal.
std::string printable(std::string_view line) {
  std::string out(line.substr(0, kLongestLine));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
  }
  return out;
}

std::string reason(const ProcessResult& result) {
  if (result.timed_out) return " took too long";
  if (!result.started) return " cannot be started";
  if (result.exit_code > 128)
    return std::string(" was ended by a signal: ") + strsignal(result.exit_code - 128);
  return " failed with exit code " + std::to_string(result.exit_code);
}

}  // namespace

ToolFailed tool_failure(const std::vector<std::string>& command, const ProcessResult& result) {
  std::string message = burin::quoted(command[0]) + reason(result);
  size_t lines = 0;
  for (size_t at = 0; at < result.output.size() && lines < kMostLines; ++lines) {
    const size_t end = std::min(result.output.find('\n', at), result.output.size());
    message += "\n  " + printable(std::string_view(result.output).substr(at, end - at));
    at = end + 1;
  }
  return ToolFailed(message);
}

void run_tool(const std::vector<std::string>& command, double seconds, const std::string& work) {
  const ProcessResult result = run_process(command, seconds, work);
  if (result.exit_code != 0) throw tool_failure(command, result);
}

}  // namespace burin
