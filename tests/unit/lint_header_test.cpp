// Every header of generator/ compiles alone: what it uses, it includes. (runtime_min's headers are
// held to the same by rt_build_test.cpp, under its users' flags.)
//
// Most of a header's time is what it includes, and headers include each other. So a few headers
// that many include are compiled first, by themselves like all others, and where one of them is
// among the includes of a header, its precompiled form stands at the top. That hides nothing:
// whatever it declares, the header includes by itself, and a header between them that fails to is
// found when it is its turn. For the same reason a header may stand in one unit behind another that
// it includes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "support/process.h"
#include "unit/support/source_files.h"

namespace burin::lint_header_test {
namespace {

constexpr size_t kMostBases = 8;

class Headers {
 public:
  Headers() {
    for (const SourceFile& file : source_files()) {
      if (file.is_in("generator") && file.ends_with(".h"))
        texts_[file.path.substr(std::string("generator/").size())] = &file.text;
    }
    for (const auto& [path, text] : texts_) close(path);
  }

  // The headers whose precompiled forms save the most, largest first.
  std::vector<std::string> bases() const {
    std::vector<std::string> chosen;
    std::map<std::string, size_t> saved;  // of each header, by the best base so far
    while (chosen.size() < kMostBases) {
      std::string best;
      size_t most = 0;
      for (const auto& [base, text] : texts_) {
        size_t gain = 0;
        for (const auto& [path, closure] : closures_) {
          const size_t before = saved.contains(path) ? saved.at(path) : 0;
          if (closure.contains(base) && weight(base) > before) gain += weight(base) - before;
        }
        if (gain > most) best = base, most = gain;
      }
      if (best.empty()) break;
      chosen.push_back(best);
      for (const auto& [path, closure] : closures_) {
        if (closure.contains(best)) saved[path] = std::max(saved[path], weight(best));
      }
    }
    return chosen;
  }

  // The heaviest of `bases` that the header includes; empty: none of them.
  std::string base_of(const std::string& path, const std::vector<std::string>& bases) const {
    std::string best;
    for (const std::string& base : bases) {
      if (closures_.at(path).contains(base) && (best.empty() || weight(base) > weight(best)))
        best = base;
    }
    return best;
  }

  // All headers, those that share a unit together: of one base, and each includes the one before
  // it.
  std::vector<std::vector<std::string>> units(const std::vector<std::string>& bases) const {
    std::vector<std::string> paths;
    for (const auto& [path, text] : texts_) paths.push_back(path);
    std::stable_sort(paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
      return weight(a) < weight(b);
    });
    std::map<std::string, std::vector<std::vector<std::string>>> of_base;
    for (const std::string& path : paths) {
      std::vector<std::vector<std::string>>& open = of_base[base_of(path, bases)];
      std::vector<std::string>* best = nullptr;
      for (std::vector<std::string>& unit : open) {
        if (closures_.at(path).contains(unit.back()) &&
            (best == nullptr || weight(unit.back()) > weight(best->back())))
          best = &unit;
      }
      if (best == nullptr) best = &open.emplace_back();
      best->push_back(path);
    }
    std::vector<std::vector<std::string>> out;
    for (auto& [base, units] : of_base)
      std::move(units.begin(), units.end(), std::back_inserter(out));
    return out;
  }

 private:
  // All that a header includes, directly or not, without itself.
  const std::set<std::string>& close(const std::string& path) {
    if (const auto known = closures_.find(path); known != closures_.end()) return known->second;
    closures_[path];  // an include that leads back ends here
    std::set<std::string> all;
    for (const Literal& include : includes_of(*texts_.at(path))) {
      all.insert(include.text);
      if (!texts_.contains(include.text) || include.text == path) continue;
      const std::set<std::string>& further = close(include.text);
      all.insert(further.begin(), further.end());
    }
    all.erase(path);
    return closures_[path] = std::move(all);
  }
  size_t weight(const std::string& path) const { return closures_.at(path).size(); }

  std::map<std::string, const std::string*> texts_;
  std::map<std::string, std::set<std::string>> closures_;
};

const std::string kRoot = BURIN_SOURCE_DIR;

std::vector<std::string> compile(const std::vector<std::string>& further) {
  std::vector<std::string> command{BURIN_CXX_COMPILER, "-std=c++20", "-DFMT_HEADER_ONLY=1",
                                   "-I" + kRoot + "/generator", "-I" + kRoot};
  command.insert(command.end(), further.begin(), further.end());
  return command;
}

TEST(LintHeader, EveryHeaderCompilesAlone) {
  const Headers headers;
  const std::vector<std::string> bases = headers.bases();
  ASSERT_FALSE(bases.empty());
  const std::vector<std::vector<std::string>> units = headers.units(bases);
  size_t count = 0;
  for (const std::vector<std::string>& unit : units) count += unit.size();
  ASSERT_GT(count, 300u);
  EXPECT_LT(units.size(), count);
  const ScratchFolder folder;
  const auto precompiled = [&](const std::string& base) {
    const size_t number =
        static_cast<size_t>(std::find(bases.begin(), bases.end(), base) - bases.begin());
    return folder.path() + "/base" + std::to_string(number) + ".h";
  };

  // In two rounds, since the second needs what the first makes. Results have their own places.
  const auto in_parallel = [](size_t count, const std::function<void(size_t)>& task) {
    std::atomic<size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      threads.emplace_back([&] {
        for (size_t at; (at = next++) < count;) task(at);
      });
    for (std::thread& thread : threads) thread.join();
  };
  std::vector<ProcessResult> made(bases.size()), checked(units.size());
  in_parallel(bases.size(), [&](size_t i) {
    const std::string name = precompiled(bases[i]);
    std::ofstream(name) << "#include \"" << bases[i] << "\"\n";
    made[i] = run_process(compile({"-x", "c++-header", name, "-o", name + ".gch"}), 120);
  });
  for (size_t i = 0; i < bases.size(); ++i)
    EXPECT_EQ(made[i].exit_code, 0) << bases[i] << " does not stand alone:\n" << made[i].output;
  in_parallel(units.size(), [&](size_t i) {
    std::vector<std::string> further{"-fsyntax-only"};
    if (const std::string base = headers.base_of(units[i].front(), bases); !base.empty())
      further.insert(further.end(), {"-include", precompiled(base)});
    const std::string name = folder.path() + "/unit" + std::to_string(i) + ".cpp";
    std::ofstream unit(name);
    for (const std::string& path : units[i]) unit << "#include \"" << path << "\"\n";
    unit.close();
    further.push_back(name);
    checked[i] = run_process(compile(further), 120);
  });
  for (size_t i = 0; i < units.size(); ++i)
    EXPECT_EQ(checked[i].exit_code, 0)
        << "of those up to " << units[i].back() << " one does not stand alone:\n"
        << checked[i].output;
}

}  // namespace
}  // namespace burin::lint_header_test
