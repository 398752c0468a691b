// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace {

[[noreturn]] void usage(const std::string& what) {
  std::fprintf(stderr,
               "bad flag: %s; flags: --sessions N --seconds S --paths snapshots "
               "--stores sqlite,lmdb,rocksdb --groups LIST --bytes B --folder DIR\n",
               what.c_str());
  std::exit(2);
}

double number(const std::string& flag, const std::string& text) {
  char* end = nullptr;
  auto value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !std::isfinite(value) || !(value > 0))
    usage(flag + " " + text);
  return value;
}

uint32_t whole(const std::string& flag, const std::string& text, double least, double most) {
  auto value = number(flag, text);
  if (value < least || value > most || value != std::floor(value))
    usage(flag + " " + text);
  return static_cast<uint32_t>(value);
}

std::vector<std::string> parts(const std::string& flag, const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');)
    result.push_back(part);
  if (result.empty())
    usage(flag + " " + text);
  return result;
}

std::vector<std::string> names(const std::string& flag, const std::string& text,
                               const std::vector<std::string>& known) {
  auto result = parts(flag, text);
  for (auto& name : result)
    if (std::find(known.begin(), known.end(), name) == known.end())
      usage(flag + " " + name);
  return result;
}

void set(options& o, const std::string& flag, const std::string& value) {
  if (flag == "--sessions")
    o.sessions = whole(flag, value, 1, 1e9);
  else if (flag == "--seconds")
    o.seconds = number(flag, value);
  else if (flag == "--bytes")
    // At least the counter.
    o.bytes = whole(flag, value, 8, 1 << 20);
  else if (flag == "--paths")
    o.paths = names(flag, value, options{}.paths);
  else if (flag == "--stores")
    o.stores = names(flag, value, options{}.stores);
  else if (flag == "--groups") {
    o.groups.clear();
    for (auto& part : parts(flag, value))
      o.groups.push_back(whole(flag, part, 1, 100000));
  } else if (flag == "--folder" || flag == "--dir") {
    // The second is what the rival in Erlang calls it.
    if (value.empty())
      usage(flag + " is empty");
    o.folder = value;
  } else if (flag != "--callers" && flag != "--producers")
    // Those two are other rivals' flags; one script passes the same flags to all.
    usage(flag);
}

} // namespace

options parse(int argc, char** argv) {
  options o;
  auto temporary = std::getenv("TMPDIR");
  o.folder = temporary != nullptr && *temporary != 0 ? temporary : "/tmp";
  for (int i = 1; i < argc; ++i) {
    std::string flag = argv[i];
    if (flag == "--no-header") {
      o.header = false;
      continue;
    }
    if (++i == argc)
      usage(flag + " has no value");
    set(o, flag, argv[i]);
  }
  return o;
}
