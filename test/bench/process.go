package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// process of a server, by its id. What is read here only Linux has.
type process int

// own process.
var own = process(os.Getpid())

// cpu is the time that all threads of the process have run, user and system, in nanoseconds and not in ticks.
func (p process) cpu() (time.Duration, error) {
	var t unix.Timespec
	clock := int32(^p)<<3 | 2 // the kernel's name for the processor time of a whole process
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, fmt.Errorf("processor time of process %d: %w", p, err)
	}
	return time.Duration(t.Nano()), nil
}

// resident memory in bytes.
func (p process) resident() (int64, error) { return p.status("VmRSS") }

// peak of the resident memory in bytes since the start or the last reset.
func (p process) peak() (int64, error) { return p.status("VmHWM") }

func (p process) resetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p), []byte("5"), 0)
}

func (p process) status(field string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p))
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(field + `:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		return 0, fmt.Errorf("process %d: its status has no %s", p, field)
	}
	kib, err := strconv.ParseInt(string(found[1]), 10, 64)
	return kib << 10, err
}
