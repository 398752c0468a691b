// SPDX-License-Identifier: Apache-2.0
// Fills a store, measures it and verifies it.
#pragma once
#include "options.hpp"

// States a second, after the store has been verified.
double measure_snapshots(const options& o);
