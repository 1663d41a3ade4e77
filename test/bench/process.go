package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// process of a server, by its id. What is read here only Linux has.
type process int

// own process.
var own = process(os.Getpid())

// child of this process with a program's name, of which the kernel knows 15 bytes.
func child(program string) (process, error) {
	program = program[:min(len(program), 15)]
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		var pid, parent int
		var state string
		head, rest, _ := strings.Cut(string(stat), " ("+program+") ")
		if _, err := fmt.Sscan(head, &pid); err != nil {
			continue
		}
		if _, err := fmt.Sscan(rest, &state, &parent); err == nil && process(parent) == own {
			return process(pid), nil
		}
	}
	return 0, fmt.Errorf("this process has not started %s", program)
}

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

// anonymous part of the resident memory in bytes: all of it but pages of files, which the kernel can take back.
func (p process) anonymous() (int64, error) { return p.status("RssAnon") }

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
