// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

func reportHeader() {
	fmt.Println("rival,version,path,parameter,value,unit")
}

func report(path, parameter string, of int, value float64, unit string) {
	version := strings.TrimPrefix(runtime.Version(), "go")
	version = strings.ReplaceAll(version, ",", " ")
	fmt.Printf("go,%s,%s,%s=%d,%.0f,%s\n", version, path, parameter, of, value, unit)
}

func rate(count uint64, elapsed time.Duration) float64 {
	return float64(count) / elapsed.Seconds()
}

// check ends the program when a measurement cannot be trusted.
func check(holds bool, format string, values ...any) {
	if !holds {
		fmt.Fprintf(os.Stderr, format+"\n", values...)
		os.Exit(1)
	}
}
