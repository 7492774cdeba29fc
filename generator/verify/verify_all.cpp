#include "verify/verify_all.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "report/data_set.h"
#include "support/diagnostics.h"
#include "verify/build.h"
#include "verify/shared_objects.h"
#include "verify/verdict_text.h"

namespace burin {
namespace {

CaseVerdict verify_case(const std::string& folder, const std::string& root, VerifyOptions options) {
  CaseVerdict out;
  out.path = folder.size() > root.size() && folder.starts_with(root)
                 ? folder.substr(folder.find_first_not_of('/', root.size()))
                 : folder;
  options.compile.model = folder + "/model.onnx";
  options.data.clear();
  // Data without outputs are held to the interpreter; a case without data fails.
  options.make_up = !data_sets_of(folder).empty();
  if (!options.keep.empty()) options.keep += "/" + out.path;
  try {
    const Verdict verdict = verify(options);
    if (!verdict.agrees()) {
      out.outcome = CaseOutcome::failed;
      out.message = verdict_text(verdict);
    }
  } catch (const ToolFailed& failed) {
    out.outcome = CaseOutcome::failed;
    out.rule = kToolRule;
    out.message = failed.what();
  } catch (const Refused& refused) {
    // What is missing on this machine says nothing about the model.
    out.rule = refused.diagnostics.front().rule;
    out.outcome = out.rule == "io" ? CaseOutcome::failed : CaseOutcome::refused;
    out.message = to_line(refused.diagnostics.front());
  } catch (const std::exception& error) {
    out.outcome = CaseOutcome::failed;
    out.message = error.what();
  }
  while (out.message.ends_with('\n')) out.message.pop_back();
  return out;
}

int count(const std::vector<CaseVerdict>& verdicts, CaseOutcome outcome) {
  return static_cast<int>(
      std::count_if(verdicts.begin(), verdicts.end(),
                    [&](const CaseVerdict& one) { return one.outcome == outcome; }));
}

}  // namespace

std::vector<CaseVerdict> verify_all(const std::vector<std::string>& cases, const std::string& root,
                                    const VerifyOptions& given, int jobs) {
  SharedObjects shared;
  VerifyOptions options = given;
  options.shared = &shared;
  std::vector<CaseVerdict> verdicts(cases.size());
  std::atomic<size_t> next = 0;
  const auto worker = [&] {
    for (size_t i = next++; i < cases.size(); i = next++)
      verdicts[i] = verify_case(cases[i], root, options);
  };
  std::vector<std::thread> others;
  for (int i = 1; i < jobs; ++i) others.emplace_back(worker);
  worker();
  for (std::thread& other : others) other.join();
  return verdicts;
}

std::vector<std::string> sample(const std::vector<std::string>& cases, size_t count) {
  if (count >= cases.size()) return cases;
  std::vector<std::string> out;
  for (size_t i = 0; i < count; ++i) out.push_back(cases[i * cases.size() / count]);
  return out;
}

std::string summary_text(const std::vector<CaseVerdict>& verdicts) {
  std::string out;
  std::map<std::string, int> refusals;
  for (const CaseVerdict& one : verdicts) {
    if (one.outcome == CaseOutcome::refused) ++refusals[one.rule];
    if (one.outcome == CaseOutcome::failed)
      out += "failed: " + one.path + ": " + one.message + "\n";
  }
  for (const auto& [rule, number] : refusals)
    out += "refused: " + std::to_string(number) + " " + rule + "\n";
  return out + std::to_string(count(verdicts, CaseOutcome::passed)) + " passed, " +
         std::to_string(count(verdicts, CaseOutcome::failed)) + " failed, " +
         std::to_string(count(verdicts, CaseOutcome::refused)) + " refused\n";
}

std::string summary_json(const std::vector<CaseVerdict>& verdicts) {
  using Json = nlohmann::ordered_json;
  static constexpr const char* kNames[] = {"passed", "failed", "refused"};
  Json json{{"passed", count(verdicts, CaseOutcome::passed)},
            {"failed", count(verdicts, CaseOutcome::failed)},
            {"refused", count(verdicts, CaseOutcome::refused)},
            {"cases", Json::array()}};
  for (const CaseVerdict& one : verdicts) {
    json["cases"].push_back({{"path", one.path},
                             {"outcome", kNames[static_cast<int>(one.outcome)]},
                             {"rule", one.rule},
                             {"message", one.message}});
  }
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace burin
