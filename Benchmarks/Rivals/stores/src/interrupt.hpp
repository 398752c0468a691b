// SPDX-License-Identifier: Apache-2.0
// Signals that end the program only set a flag, because a handler cannot remove files.
#pragma once

void catch_signals();

// Throws an interruption if one has arrived. Every long loop calls it.
void check_interrupt();
