// SPDX-License-Identifier: Apache-2.0
// The program: measures the stores one after another and prints the CSV.
#include "interrupt.hpp"
#include "measure.hpp"
#include "support.hpp"
#include <csignal>
#include <cstdio>

namespace {

void print(const std::string& rival, const result& r) {
  // A ratio needs decimals, a rate does not.
  const bool ratio = r.path == "space";
  auto printed = std::printf("%s,%s,%s,%s,%.*f,%s\n", rival.c_str(), r.version.c_str(),
                             r.path.c_str(), r.parameter.c_str(), ratio ? 2 : 0, r.value,
                             ratio ? "1" : "1/s");
  check(printed > 0 && std::fflush(stdout) == 0, "standard output cannot be written to");
}

int run(const options& o) {
  try {
    catch_signals();
    if (o.header)
      check(std::puts("rival,version,path,parameter,value,unit") >= 0
              && std::fflush(stdout) == 0,
            "standard output cannot be written to");
    for (auto& store : o.stores)
      for (auto& result : measure_snapshots(store, o))
        print(store, result);
    return 0;
  } catch (const interruption& i) {
    // The caller of the program sees what ended it.
    std::signal(i.signal, SIG_DFL);
    std::raise(i.signal);
    return 128 + i.signal;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "failed: %s\n", e.what());
    return 1;
  }
}

} // namespace

int main(int argc, char** argv) {
  return run(parse(argc, argv));
}
