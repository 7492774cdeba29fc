// Mutates valid models and takes each the whole way, without coverage and without sanitizers, so
// that a core runs some tens in a second: every model of tests/models and of the corpus, bytes
// changed or the message (support/model_mutator.h), a description of hardware drawn. What neither
// succeeds nor is refused, takes too long or too much memory is kept in a folder, with what it
// said.
//
//   burin_mutate_models [--seconds N] [--seed N] [--jobs N] [--found DIR] [--compare] [FILE ...]
//
// With files of models it takes these, once each, as they are.
#include <google/protobuf/stubs/logging.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/support/compared.h"
#include "fuzz/support/model_mutator.h"
#include "fuzz/support/targets.h"
#include "support/process.h"

namespace {

namespace fs = std::filesystem;

constexpr time_t kMostSeconds = 60;             // of a processor, of one input
constexpr rlim_t kMostBytes = rlim_t{3} << 30;  // of address space
constexpr size_t kMostSeedBytes = 64 << 10;     // of a model that is mutated

struct Counts {
  std::atomic<uint64_t> inputs, accepted, found;
};

struct Options {
  long seconds = 60;
  unsigned seed = 1;
  int jobs = 1;
  std::string found = "found";
  bool compare = false;
  std::vector<std::string> files;
};

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
}

std::vector<std::string> seeds() {
  std::vector<fs::path> paths;
  const fs::path tests = fs::path(BURIN_SOURCE_DIR) / "tests";
  for (const auto& entry : fs::recursive_directory_iterator(tests / "models")) {
    if (entry.path().extension() == ".onnx") paths.push_back(entry.path());
  }
  for (const auto& entry : fs::directory_iterator(tests / "fuzz/corpus/generate"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> out;
  for (const fs::path& path : paths) {
    if (fs::file_size(path) <= kMostSeedBytes) out.push_back(text_of(path));
  }
  return out;
}

// Some bytes are others, are gone, or come twice.
std::string damaged(std::string bytes, std::mt19937& dice) {
  const auto below = [&](size_t n) { return dice() % n; };
  for (size_t left = 1 + below(3); left > 0 && !bytes.empty(); --left) {
    const size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 2:
        bytes[at] = "\x00\x01\x7f\x80\xff\x02"[below(6)];
        break;
      case 3:
        bytes.erase(at, 1 + below(8));
        break;
      default:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(16)));
        break;
    }
  }
  return bytes;
}

// Mutations follow each other, as far as what they give is accepted.
class Worker {
 public:
  Worker(const Options& options, Counts& counts, int job, int started)
      : options_(options),
        counts_(counts),
        current_(fs::path(options.found) / ("current" + std::to_string(job))),
        dice_(options.seed * 1'000'003U + static_cast<unsigned>(job * 7919 + started)) {}

  void run() {
    const std::vector<std::string> all = seeds();
    std::vector<std::string> kept;
    for (;;) {
      const bool go_on = !kept.empty() && dice_() % 2 == 0;
      const std::string& from = go_on ? kept[dice_() % kept.size()] : all[dice_() % all.size()];
      std::string bytes;
      switch (dice_() % 8) {
        case 0:
          bytes = damaged(from, dice_);
          break;
        case 1:
          bytes = burin::fuzz::cross_models(from, all[dice_() % all.size()], dice_());
          break;
        default:
          bytes = burin::fuzz::mutate_model(from, dice_());
      }
      if (!take(bytes) || bytes.size() > kMostSeedBytes) continue;
      if (kept.size() < 2000) {
        kept.push_back(bytes);
      } else {
        kept[dice_() % kept.size()] = bytes;
      }
    }
  }

  bool take(const std::string& bytes) {
    write(current_, bytes);
    const itimerval most{{0, 0}, {kMostSeconds, 0}};
    setitimer(ITIMER_PROF, &most, nullptr);
    ++counts_.inputs;
    try {
      const bool accepted = options_.compare ? burin::fuzz::compare_input(bytes, scratch_.path())
                                             : burin::fuzz::generate_input(bytes, scratch_.path());
      counts_.accepted += accepted ? 1 : 0;
      return accepted;
    } catch (const std::exception& error) {
      keep(error.what());
      return false;
    }
  }

  void keep(const std::string& why) {
    const std::string bytes = text_of(current_);
    const std::string name = std::to_string(std::hash<std::string>()(bytes) % 100'000'000);
    write(fs::path(options_.found) / (name + ".onnx"), bytes);
    write(fs::path(options_.found) / (name + ".txt"), why + "\n");
    std::printf("%s: %s\n", name.c_str(), why.substr(0, 300).c_str());
    std::fflush(stdout);
    ++counts_.found;
  }

 private:
  const Options& options_;
  Counts& counts_;
  const fs::path current_;
  std::mt19937 dice_;
  burin::ScratchFolder scratch_;
};

bool read(int argc, char** argv, Options& out) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--compare") {
      out.compare = true;
    } else if (word == "--seconds" && more) {
      out.seconds = std::atol(argv[++i]);
    } else if (word == "--seed" && more) {
      out.seed = static_cast<unsigned>(std::atol(argv[++i]));
    } else if (word == "--jobs" && more) {
      out.jobs = std::atoi(argv[++i]);
    } else if (word == "--found" && more) {
      out.found = argv[++i];
    } else if (word.starts_with("-")) {
      return false;
    } else {
      out.files.push_back(word);
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  google::protobuf::SetLogHandler(nullptr);
  Options options;
  if (!read(argc, argv, options)) {
    std::fputs("the head of mutate_models.cpp has the flags\n", stderr);
    return 2;
  }
  fs::create_directories(options.found);
  void* const shared =
      mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Counts& counts = *new (shared) Counts();
  if (!options.files.empty()) {
    Worker worker(options, counts, 0, 0);
    for (const std::string& file : options.files) worker.take(text_of(file));
    return counts.found == 0 ? 0 : 1;
  }
  const time_t end = time(nullptr) + options.seconds;
  std::vector<pid_t> children(static_cast<size_t>(options.jobs), 0);
  int started = 0;
  const auto start = [&](size_t job) {
    children[job] = fork();
    if (children[job] != 0) return;
    const rlimit limit{kMostBytes, kMostBytes};
    setrlimit(RLIMIT_AS, &limit);
    Worker(options, counts, static_cast<int>(job), started).run();
    std::_Exit(0);
  };
  for (size_t job = 0; job < children.size(); ++job, ++started) start(job);
  while (time(nullptr) < end) {
    usleep(200'000);
    for (size_t job = 0; job < children.size(); ++job) {
      int status = 0;
      if (waitpid(children[job], &status, WNOHANG) != children[job]) continue;
      const int ended_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      Worker(options, counts, static_cast<int>(job), 0)
          .keep(ended_by == SIGPROF ? "takes more than " + std::to_string(kMostSeconds) + " s"
                                    : "ended by signal " + std::to_string(ended_by));
      ++started;
      start(job);
    }
  }
  for (const pid_t child : children) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  std::printf("%llu inputs, %llu accepted, %llu found\n",
              static_cast<unsigned long long>(counts.inputs),
              static_cast<unsigned long long>(counts.accepted),
              static_cast<unsigned long long>(counts.found));
  return counts.found == 0 ? 0 : 1;
}
