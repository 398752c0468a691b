// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"
#include "support.hpp"
#include <csignal>

namespace {

// Lock-free, and RocksDB's threads may receive the signal as well.
volatile std::sig_atomic_t arrived = 0;

void note(int signal) {
  arrived = signal;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // The stores should not see calls that were interrupted.
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  check(sigaction(signal, &action, nullptr) == 0, "a signal's handler could not be set");
}

} // namespace

void catch_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    handle(signal, note);
  // A reader that went away is seen as an error of the output instead.
  handle(SIGPIPE, SIG_IGN);
}

void check_interrupt() {
  if (arrived != 0)
    throw interruption{arrived};
}
