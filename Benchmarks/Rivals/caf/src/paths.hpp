// SPDX-License-Identifier: Apache-2.0
// The paths that can be measured.
#pragma once
#include "support.hpp"

double run_deliver(size_t producers, const options& o);
double run_call(size_t callers, const options& o);
double run_cycle(size_t callers, const options& o);
double run_cycle_kept(size_t callers, const options& o);
