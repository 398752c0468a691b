// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const allPaths = "memory,deliver,call,cycle,encode,decode"

type options struct {
	sessions int
	duration time.Duration
	paths    map[string]bool
	callers  []int
	producers []int
}

// parseOptions ends the program with 2 for flags that are not understood.
func parseOptions() *options {
	sessions := flag.Int("sessions", 100000, "how many sessions")
	seconds := flag.Float64("seconds", 3, "how long each measurement runs")
	paths := flag.String("paths", allPaths, "what is measured, separated by commas")
	callers := flag.String("callers", "1,8,64", "callers of call and cycle, separated by commas")
	producers := flag.String("producers", "1,2,8", "producers of deliver, separated by commas")
	flag.Parse()
	if flag.NArg() > 0 || *sessions < 1 || !(*seconds > 0 && *seconds < 1e6) {
		refuse("expected flags only, a positive count of sessions and of seconds")
	}
	duration := time.Duration(*seconds * float64(time.Second))
	return &options{
		*sessions, duration, parsePaths(*paths), parseCounts(*callers), parseCounts(*producers),
	}
}

func parsePaths(list string) map[string]bool {
	paths := map[string]bool{}
	for _, path := range strings.Split(list, ",") {
		if path == "" || !strings.Contains(","+allPaths+",", ","+path+",") {
			refuse("unknown path: " + path)
		}
		paths[path] = true
	}
	return paths
}

func parseCounts(list string) (counts []int) {
	for _, text := range strings.Split(list, ",") {
		count, err := strconv.Atoi(text)
		if err != nil || count < 1 {
			refuse("not a count: " + text)
		}
		counts = append(counts, count)
	}
	return counts
}

func refuse(reason string) {
	fmt.Fprintln(os.Stderr, reason)
	os.Exit(2)
}
