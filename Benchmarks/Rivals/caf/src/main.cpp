// SPDX-License-Identifier: Apache-2.0
// The program: reads the flags, runs the paths one after another and prints the CSV.
#include "draft.hpp"
#include "paths.hpp"
#include <algorithm>
#include <caf/config.hpp>
#include <cstring>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const char* known_paths = "memory,deliver,call,cycle,encode,decode";

[[noreturn]] void usage(const std::string& what) {
  std::fprintf(stderr,
               "bad flag: %s\nflags: --sessions N --seconds S --paths A,B --callers LIST "
               "--producers LIST\npaths: %s\n",
               what.c_str(), known_paths);
  std::exit(2);
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');)
    result.push_back(part);
  return result;
}

double number(const std::string& flag, const std::string& text) {
  char* end = nullptr;
  auto value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !(value > 0))
    usage(flag + " " + text);
  return value;
}

size_t whole(const std::string& flag, const std::string& text) {
  auto value = number(flag, text);
  if (value < 1 || value > 1e9 || value != static_cast<double>(static_cast<size_t>(value)))
    usage(flag + " " + text);
  return static_cast<size_t>(value);
}

std::vector<size_t> numbers(const std::string& flag, const std::string& text) {
  std::vector<size_t> result;
  for (auto& part : parts(text))
    result.push_back(whole(flag, part));
  if (result.empty())
    usage(flag + " " + text);
  return result;
}

std::vector<std::string> path_names(const std::string& text) {
  auto known = parts(known_paths);
  auto names = parts(text);
  for (auto& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      usage("--paths " + name);
  return names;
}

void set(options& o, const std::string& flag, const std::string& value) {
  if (flag == "--sessions")
    o.sessions = whole(flag, value);
  else if (flag == "--seconds")
    o.seconds = number(flag, value);
  else if (flag == "--callers")
    o.callers = numbers(flag, value);
  else if (flag == "--producers")
    o.producers = numbers(flag, value);
  else if (flag == "--paths")
    o.paths = path_names(value);
  else
    usage(flag);
}

options parse(int argc, char** argv) {
  options o;
  o.paths = parts(known_paths);
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--no-header") == 0) {
      o.header = false;
      continue;
    }
    if (i + 1 == argc)
      usage(argv[i]);
    set(o, argv[i], argv[i + 1]);
    ++i;
  }
  if (*std::max_element(o.producers.begin(), o.producers.end()) > 8)
    usage("--producers takes at most 8");
  return o;
}

// Resident memory is only meaningful in a process that has done nothing before, so the memory
// path gets its own when other paths run too.
void memory(const options& o) {
  auto parameter = "sessions=" + std::to_string(o.sessions);
  if (o.paths.size() == 1)
    return row("memory", parameter, run_memory(o), "B");
  std::fflush(stdout);
  auto sessions = std::to_string(o.sessions);
  auto child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "rival", "--no-header", "--paths", "memory", "--sessions",
          sessions.c_str(), static_cast<char*>(nullptr));
    std::_Exit(1);
  }
  int status = 1;
  check(child > 0 && waitpid(child, &status, 0) == child && status == 0, "the memory run failed");
}

void run(const std::string& path, const options& o) {
  auto bytes = [] { return "bytes=" + std::to_string(encode(make_draft(0)).size()); };
  if (path == "memory")
    memory(o);
  else if (path == "encode")
    row("encode", bytes(), run_encode(o));
  else if (path == "decode")
    row("decode", bytes(), run_decode(o));
  else if (path == "deliver")
    for (auto n : o.producers)
      row("deliver", "producers=" + std::to_string(n), run_deliver(n, o));
  else
    for (auto n : o.callers)
      row(path.c_str(), "callers=" + std::to_string(n),
          path == "call" ? run_call(n, o) : run_cycle(n, o));
}

} // namespace

void row(const char* path, const std::string& parameter, double value, const char* unit) {
  std::printf("caf,%d.%d.%d,%s,%s,%.0f,%s\n", CAF_MAJOR_VERSION, CAF_MINOR_VERSION,
              CAF_PATCH_VERSION, path, parameter.c_str(), value, unit);
  std::fflush(stdout);
}

int main(int argc, char** argv) {
  auto o = parse(argc, argv);
  if (o.header)
    std::printf("rival,version,path,parameter,value,unit\n");
  for (auto& path : o.paths)
    run(path, o);
}
