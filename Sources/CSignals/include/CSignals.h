// SPDX-License-Identifier: Apache-2.0

#ifndef CSIGNALS_H
#define CSIGNALS_H

#include <stdbool.h>

/// Lets the next SIGINT, SIGTERM or SIGHUP ask for the end of the program; a second one ends it.
///
/// A SIGHUP that is ignored, as under nohup, stays ignored.
void proscenium_trap_signals(void);

/// Whether a signal has asked for the end.
bool proscenium_is_end_asked(void);

/// Says what is removed when the program is ended before its time.
///
/// - Parameter folder: The folder, or NULL for none. One with a longer path than the system takes
///   stays.
void proscenium_set_leftovers(const char *folder);

/// Ends the program as a signal does: SIGINT, SIGTERM, SIGHUP or SIGPIPE.
_Noreturn void proscenium_end_by_signal(int number);

/// Ends the program with exit code 2.
_Noreturn void proscenium_end_refused(void);

#endif
