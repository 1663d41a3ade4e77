//go:build linux

package bench

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// load does something b.N times, by some callers at once, and reports how long half of the times took and 99 of 100, and what processes spent on it.
func load(b *testing.B, callers int, do func(i int) error, processes ...pid) {
	b.Helper()
	latencies := make([]time.Duration, b.N)
	var next atomic.Int64
	var group errgroup.Group
	spent := cpu(b, processes...)
	b.ResetTimer()
	for range callers {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(latencies); i = int(next.Add(1)) - 1 {
				begun := time.Now()
				if err := do(i); err != nil {
					return err
				}
				latencies[i] = time.Since(begun)
			}
			return nil
		})
	}
	must.Do(b, group.Wait())
	b.StopTimer()
	perCall(b, cpu(b, processes...)-spent)
	slices.Sort(latencies)
	b.ReportMetric(float64(latencies[len(latencies)/2]), "p50-ns/op")
	b.ReportMetric(float64(latencies[len(latencies)*99/100]), "p99-ns/op")
}

// perCall reports processor time, which tells more than the clock on a busy machine.
func perCall(b *testing.B, spent time.Duration) {
	b.ReportMetric(float64(spent)/float64(b.N), "cpu-ns/op")
}

// pid of a process.
type pid int

var self = pid(os.Getpid())

// cpu is the time that all threads of processes have run, user and system, in nanoseconds and not in ticks.
func cpu(b *testing.B, processes ...pid) (all time.Duration) {
	b.Helper()
	for _, p := range processes {
		var t unix.Timespec
		clock := int32(^p)<<3 | 2 // the kernel's name for the processor time of a whole process
		if err := unix.ClockGettime(clock, &t); err != nil {
			b.Fatalf("processor time of process %d: %v", p, err)
		}
		all += time.Duration(t.Nano())
	}
	return all
}

// memory of a process in bytes: VmRSS for what is resident, RssAnon for that without pages of files, VmHWM for the peak so far.
func (p pid) memory(field string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p))
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(field + `:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil { // it has ended
		return 0, fmt.Errorf("process %d: its status has no %s", p, field)
	}
	kib, err := strconv.ParseFloat(string(found[1]), 64)
	return kib * 1024, err
}

// report memory of a process.
func (p pid) report(b *testing.B, field, unit string) {
	b.Helper()
	bytes := must.Get(p.memory(field))(b)
	b.ReportMetric(bytes, unit)
}
