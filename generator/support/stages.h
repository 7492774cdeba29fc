// What runs the stages of the pipeline: their times, their dumps, and the limits that no node alone
// exceeds.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/stage_time.h"

namespace burin {

// Runs the stages and keeps their times and dumps.
class Stages {
 public:
  Stages(std::string dump_dir, std::function<void(const char* stage)> progress)
      : dump_dir_(std::move(dump_dir)), progress_(std::move(progress)) {
    if (dump_dir_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(dump_dir_, error);
    if (error)
      refuse_dump("cannot make the folder " + burin::quoted(dump_dir_) + ": " + error.message());
  }

  template <class Body>
  auto run(const char* name, Body&& body) {
    if (progress_) progress_(name);
    const auto start = std::chrono::steady_clock::now();
    auto result = named_limit(name, body);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    times.push_back({name, took.count()});
    return result;
  }

  template <class Text>
  void dump(const Text& text, const char* what = "") {
    if (dump_dir_.empty()) return;
    const std::string number = std::to_string(times.size());
    const std::string path = dump_dir_ + "/" + (number.size() < 2 ? "0" : "") + number + "-" +
                             times.back().name + what + ".txt";
    std::ofstream out(path, std::ios::binary);
    out << text();
    if (!out) refuse_dump("cannot write " + burin::quoted(path));
  }

  std::vector<StageTime> times;

 private:
  [[noreturn]] static void refuse_dump(std::string message) {
    throw Refused(Diagnostic{{.file = "--dump-dir"}, "io", std::move(message), {}});
  }

  // A limit that no node alone exceeds, as a sum over all of them can, is that of a stage.
  template <class Body>
  static auto named_limit(const char* name, Body& body) {
    try {
      return body();
    } catch (Refused& refused) {
      const Diagnostic& first = refused.diagnostics[0];
      if (first.rule == "limit" && first.where.node.empty() && first.where.file.empty())
        fill_location(refused, {.node = std::string("stage ") + name});
      throw;
    }
  }

  std::string dump_dir_;
  std::function<void(const char* stage)> progress_;
};

}  // namespace burin
