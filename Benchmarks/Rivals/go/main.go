// SPDX-License-Identifier: Apache-2.0

// The program measures sessions made of goroutines and bounded channels.
package main

import (
	"os"
	"runtime/debug"
)

func main() {
	o := parseOptions()
	tuneCollector()
	reportHeader()
	// Memory comes first, while nothing else has used the heap.
	if o.paths["memory"] {
		measureMemory(o)
	}
	if o.paths["deliver"] {
		each(o, o.producers, measureDeliver)
	}
	if o.paths["call"] {
		each(o, o.callers, measureCall)
	}
	if o.paths["cycle"] {
		each(o, o.callers, measureCycle)
	}
	if o.paths["encode"] {
		measureEncode(o)
	}
	if o.paths["decode"] {
		measureDecode(o)
	}
}

// tuneCollector trades memory for fewer collections, as each one scans the stacks of all sessions.
// GOGC counts if it is set.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

func each(o *options, parameters []int, measure func(*options, int)) {
	for _, parameter := range parameters {
		measure(o, parameter)
	}
}
