package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// machine that measured.
type machine struct {
	OS, Arch, CPU, Kernel, Go, Memory string
	Cores                             int
	// Commit that was measured, with a plus when files had been changed, and when.
	Commit string
	Date   string
	// Load is the average load before the run: on an idle machine about 0.
	Load string
}

func thisMachine(ctx context.Context, goTool string) (machine, error) {
	m := machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Date: time.Now().UTC().Format(time.DateOnly)}
	version, err := exec.CommandContext(ctx, goTool, "env", "GOVERSION").Output()
	if err != nil {
		return m, fmt.Errorf("%s env GOVERSION: %w", goTool, err)
	}
	m.Go = strings.TrimSpace(string(version))
	m.CPU = firstMatch("/proc/cpuinfo", `(?m)^model name\s*:\s*(.+)$`)
	m.Memory = firstMatch("/proc/meminfo", `(?m)^MemTotal:\s*(.+)$`)
	m.Kernel = firstMatch("/proc/sys/kernel/osrelease", `(.+)`)
	m.Load = firstMatch("/proc/loadavg", `(\S+)`)
	if commit, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty=+").Output(); err == nil {
		m.Commit = strings.TrimSpace(string(commit))
	}
	return m, nil
}

// firstMatch in a file; "unknown" on a system that has no such file.
func firstMatch(file, pattern string) string {
	content, _ := os.ReadFile(file)
	if found := regexp.MustCompile(pattern).FindSubmatch(content); found != nil {
		return string(found[1])
	}
	return "unknown"
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s, Linux %s, %s, commit %s, %s, load before %s", m.CPU, m.Cores, m.Memory, m.Kernel, m.Go, m.Commit, m.Date, m.Load)
}
