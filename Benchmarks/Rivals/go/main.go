// SPDX-License-Identifier: Apache-2.0

// The program measures sessions made of goroutines and bounded channels: a path, with so many
// sessions and workers, for so many seconds. It prints operations a second.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

type options struct {
	path              string
	sessions, workers int
	seconds           float64
}

func (o *options) end() time.Time {
	return time.Now().Add(time.Duration(o.seconds * float64(time.Second)))
}

func main() {
	var o options
	_, err := fmt.Sscan(strings.Join(os.Args[1:], " "),
		&o.path, &o.sessions, &o.seconds, &o.workers)
	check(err == nil, "expected PATH SESSIONS SECONDS WORKERS: %v", err)
	// Fewer collections for more memory, as each one scans the stacks of all sessions.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	paths := map[string]func(*options) float64{
		"deliver": measureDeliver, "call": measureCall, "cycle": measureCycle,
		"cycle_kept": measureCycleKept, "encode": measureEncode,
		"decode": measureDecode,
	}
	check(paths[o.path] != nil, "unknown path: %s", o.path)
	fmt.Printf("%.0f\n", paths[o.path](&o))
}

func rate(count uint64, start time.Time) float64 {
	return float64(count) / time.Since(start).Seconds()
}

// check ends the program when a measurement cannot be trusted.
func check(holds bool, format string, values ...any) {
	if !holds {
		fmt.Fprintf(os.Stderr, format+"\n", values...)
		os.Exit(1)
	}
}
