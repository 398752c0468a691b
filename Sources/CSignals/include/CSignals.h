// SPDX-License-Identifier: Apache-2.0

#ifndef CSIGNALS_H
#define CSIGNALS_H

#include <stdbool.h>

/// Lets the next SIGINT, SIGTERM or SIGHUP ask for the end of the program; a second one ends it.
///
/// A SIGHUP that is ignored, as under nohup, stays ignored.
///
/// - Parameter ends_at_first: Whether the first one ends it.
void proscenium_trap_signals(bool ends_at_first);

/// Whether a signal has asked for the end.
bool proscenium_is_end_asked(void);

/// Says what has to be done when the program is ended before its time.
///
/// - Parameters:
///   - folder: A folder that is removed, or NULL for none. One with a longer path than the system
///     takes stays.
///   - words: What is then written to standard output.
void proscenium_set_leftovers(const char *folder, const char *words);

/// Ends the program as a signal does: SIGINT, SIGTERM, SIGHUP or SIGPIPE.
_Noreturn void proscenium_end_by_signal(int number);

/// Ends the program with exit code 2.
_Noreturn void proscenium_end_refused(void);

#endif
