#include "verify/build.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "support/diagnostics.h"
#include "support/file_bytes.h"
#include "verify/shared_objects.h"
#include "verify/tool.h"

namespace burin {
namespace {

namespace fs = std::filesystem;

// "src/kernels/a.cpp" -> "src_kernels_a.o"
std::string object_name(std::string source) {
  for (char& c : source) {
    if (c == '/') c = '_';
  }
  return source.substr(0, source.rfind('.')) + ".o";
}

// The compiler with its flags.
std::vector<std::string> compiler_of(const BuildOptions& options) {
  std::vector<std::string> command = options.compiler.command;
  for (const std::string& flag : compile_flags(options)) command.push_back(flag);
  return command;
}

std::vector<std::string> command_for(const BuildOptions& options, const std::string& tree) {
  std::vector<std::string> command = compiler_of(options);
  command.push_back("-I" + tree + "/include");
  return command;
}

// What finding and reading the library of C++ takes is half of a link, and nothing here needs it.
// A description that says how to link says what is needed.
std::vector<std::string> unity_libraries(const BuildOptions& options) {
  if (options.sanitize || !options.flags.empty() || !options.compiler.link_flags.empty()) return {};
  return {"-nodefaultlibs", "-lc", "-lgcc"};
}

// By way of assembly where that is packed.
void make_object(const std::string& source, const std::string& object, const std::string& tree,
                 const std::string& work, const BuildOptions& options) {
  const auto compiled = [&](const char* as, const std::string& to) {
    std::vector<std::string> command = command_for(options, tree);
    for (const std::string& part : {std::string(as), std::string("-o"), to, source})
      command.push_back(part);
    run_tool(command, options.seconds, work);
  };
  if (!options.pack) {
    compiled("-c", object);
    return;
  }
  const std::string read = object + ".read.s", packed = object + ".s";
  compiled("-S", read);
  const std::string text = options.pack(read_file(read), read);
  {
    std::ofstream out(packed, std::ios::binary);
    out << text;
    if (!out) refuse("io", "cannot write " + burin::quoted(packed));
  }
  std::vector<std::string> command = options.compiler.command;
  for (const std::string& part : {std::string("-c"), std::string("-o"), object, packed})
    command.push_back(part);
  run_tool(command, options.seconds, work);
}

std::string build_unity(const std::string& tree, const std::vector<std::string>& sources,
                        const std::string& work, const BuildOptions& options) {
  const std::string unity = work + "/unity.cpp", program = work + "/program";
  std::vector<std::string> included, objects;
  for (const std::string& source : sources) {
    if (options.shared && source.starts_with("src/rt/")) {
      objects.push_back(
          options.shared->object(compiler_of(options), tree + "/" + source, options.seconds));
    } else {
      included.push_back(source);
    }
  }
  included.push_back("driver.cpp");
  if (options.shared) {
    objects.push_back(driver_object(work, options));
  } else {
    included.push_back("test_driver.cpp");
  }
  {
    std::ofstream out(unity, std::ios::binary);
    for (const std::string& source : included) out << "#include \"" << source << "\"\n";
    if (!out) refuse("io", "cannot write " + burin::quoted(unity));
  }
  std::vector<std::string> command = command_for(options, tree);
  for (const std::string& part : {"-I" + tree, "-I" + work, std::string("-o"), program, unity})
    command.push_back(part);
  for (const std::vector<std::string>& more :
       {objects, options.compiler.link_flags, unity_libraries(options)})
    command.insert(command.end(), more.begin(), more.end());
  run_tool(command, options.seconds, work);
  return program;
}

}  // namespace

std::vector<std::string> compile_flags(const BuildOptions& options) {
  std::vector<std::string> flags = {"-std=c++17", "-fno-exceptions", "-fno-rtti",
                                    "-ffp-contract=off", "-fvisibility=hidden"};
  for (const std::string& flag : options.compiler.compile_flags) flags.push_back(flag);
  if (options.fast || options.sanitize) {
    // With sanitizers optimising takes three quarters of the time and finds nothing more.
    flags.push_back(options.fast && options.sanitize ? "-O0" : "-O1");
  }
  if (options.sanitize) {
    for (const char* flag : {"-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined",
                             "-fno-sanitize-recover=all"}) {
      flags.push_back(flag);
    }
  }
  for (const char* flag : {"-Wall", "-Wextra", "-Wconversion", "-Werror"}) flags.push_back(flag);
  for (const std::string& flag : options.flags) flags.push_back(flag);
  return flags;
}

std::vector<std::string> build_objects(const std::string& tree,
                                       const std::vector<std::string>& sources,
                                       const std::string& work, const BuildOptions& options) {
  const std::string folder = work + "/objects";
  fs::create_directories(folder);
  std::vector<std::string> objects;
  for (const std::string& source : sources) objects.push_back(folder + "/" + object_name(source));
  std::atomic<size_t> next = 0;
  std::mutex lock;
  std::vector<std::string> failures(sources.size());
  const auto worker = [&] {
    for (size_t i = next++; i < sources.size(); i = next++) {
      try {
        make_object(tree + "/" + sources[i], objects[i], tree, work, options);
      } catch (const std::exception& failed) {
        const std::lock_guard<std::mutex> held(lock);
        failures[i] = failed.what();
      }
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < options.jobs; ++i) others.emplace_back(worker);
  worker();
  for (std::thread& other : others) other.join();
  // The first in order of the sources, so that the message does not depend on `jobs`.
  for (const std::string& failure : failures) {
    if (!failure.empty()) throw ToolFailed(failure);
  }
  return objects;
}

std::string link_program(const std::string& tree, const std::vector<std::string>& objects,
                         const std::string& work, const BuildOptions& options) {
  const std::string program = work + "/program";
  std::vector<std::string> command = command_for(options, tree);
  for (const std::string& part : {"-I" + work, std::string("-o"), program, work + "/driver.cpp"})
    command.push_back(part);
  for (const std::string& object : objects) command.push_back(object);
  for (const std::string& flag : options.compiler.link_flags) command.push_back(flag);
  run_tool(command, options.seconds, work);
  return program;
}

std::string driver_object(const std::string& work, const BuildOptions& options) {
  const std::string source = work + "/test_driver.cpp", object = work + "/test_driver.o";
  std::vector<std::string> command = compiler_of(options);
  if (options.shared) return options.shared->object(command, source, options.seconds);
  for (const std::string& part : {std::string("-c"), std::string("-o"), object, source})
    command.push_back(part);
  run_tool(command, options.seconds, work);
  return object;
}

std::string build_program(const std::string& tree, const std::vector<std::string>& sources,
                          const std::string& work, const BuildOptions& options) {
  if (options.fast) return build_unity(tree, sources, work, options);
  std::vector<std::string> objects = build_objects(tree, sources, work, options);
  objects.push_back(driver_object(work, options));
  return link_program(tree, objects, work, options);
}

}  // namespace burin
