// SPDX-License-Identifier: Apache-2.0

// What runs in a handler of signals calls only what POSIX lists as safe there.

#include "CSignals.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_bool is_asked;
static atomic_bool is_ending;
static atomic_bool has_leftovers;
static char folder[PATH_MAX];

// The program becomes the one that removes the folder: at that moment its other threads are gone,
// and none of them writes to the folder any more. A child of the program may for a moment.
static const char script[] =
    "trap '' HUP INT TERM\n"
    "rm -rf -- \"$1\" 2>/dev/null || { sleep 1; rm -rf -- \"$1\"; }\n"
    "trap - HUP INT TERM\n"
    "eval \"$2\"";

static void become_remover(const char *ending) {
  if (!atomic_load(&has_leftovers)) return;
  const char *arguments[] = {"sh", "-c", script, "sh", folder, ending, NULL};
  // Returns only if there is no shell: then the folder stays.
  execv("/bin/sh", (char *const *)arguments);
}

static const char *ending_by(int number) {
  switch (number) {
    case SIGHUP: return "kill -s HUP $$";
    case SIGINT: return "kill -s INT $$";
    case SIGPIPE: return "kill -s PIPE $$";
    default: return "kill -s TERM $$";
  }
}

void proscenium_end_by_signal(int number) {
  // Another thread, or the code that this signal has interrupted, ends the program already.
  while (atomic_exchange(&is_ending, true)) pause();
  // What is ignored stays ignored in another program; what has a handler does not.
  if (number == SIGPIPE) signal(number, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, number);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
  become_remover(ending_by(number));
  signal(number, SIG_DFL);
  raise(number);
  _exit(128 + number);
}

void proscenium_end_refused(void) {
  while (atomic_exchange(&is_ending, true)) pause();
  become_remover("exit 2");
  _exit(2);
}

static void handle(int number) {
  if (atomic_exchange(&is_asked, true) && !atomic_load(&is_ending)) {
    proscenium_end_by_signal(number);
  }
}

void proscenium_trap_signals(void) {
  const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
  for (int index = 0; index < 3; index++) {
    struct sigaction action;
    if (sigaction(numbers[index], NULL, &action) != 0) continue;
    if (numbers[index] == SIGHUP && action.sa_handler == SIG_IGN) continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(numbers[index], &action, NULL);
  }
}

bool proscenium_is_end_asked(void) { return atomic_load(&is_asked); }

void proscenium_set_leftovers(const char *path) {
  atomic_store(&has_leftovers, false);
  if (path == NULL || strlen(path) >= sizeof folder) return;
  memcpy(folder, path, strlen(path) + 1);
  atomic_store(&has_leftovers, true);
}
