package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// report of what became of all calls.
type report struct {
	mutex          sync.Mutex
	latencies      []time.Duration
	again, retries int
	lost           []string
	statuses       map[string]int
	peak           int64
	// recovered is how long after the attack's end honest calls were served.
	recovered time.Duration
}

func (r *report) served(took time.Duration, again int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.latencies = append(r.latencies, took)
	r.retries += again
	if again > 0 {
		r.again++
	}
}

func (r *report) lose(why string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.lost = append(r.lost, why)
}

func (r *report) attacked(code int, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err != nil {
		r.statuses["no answer"]++
		return
	}
	r.statuses[fmt.Sprint(code)]++
}

func (r *report) String() string {
	slices.Sort(r.latencies)
	at := func(part float64) time.Duration {
		if len(r.latencies) == 0 {
			return 0
		}
		return r.latencies[int(part*float64(len(r.latencies)-1))].Round(100 * time.Microsecond)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "honest calls: %d served, of which %d were told to come again (%d times); %d lost\n", len(r.latencies), r.again, r.retries, len(r.lost))
	fmt.Fprintf(&b, "until served: p50 %s, p99 %s, longest %s\n", at(.5), at(.99), at(1))
	fmt.Fprintf(&b, "served again after the attack's end: %s\n", r.recovered.Round(time.Millisecond))
	fmt.Fprintf(&b, "adversary's answers:")
	for _, status := range slices.Sorted(maps.Keys(r.statuses)) {
		fmt.Fprintf(&b, " %s: %d;", status, r.statuses[status])
	}
	fmt.Fprintf(&b, "\nmemory of the server at most: %d MB of %d\n", r.peak/1e6, int64(memoryLimit)/1e6)
	for _, why := range r.lost[:min(len(r.lost), 10)] {
		fmt.Fprintf(&b, "lost: %s\n", why)
	}
	return b.String()
}

// problem is what must not be.
func (r *report) problem() error {
	switch {
	case len(r.statuses) == 0:
		return fmt.Errorf("the adversary sent nothing")
	case r.peak > memoryLimit:
		return fmt.Errorf("%d bytes of memory, more than the %d of the pod", r.peak, int64(memoryLimit))
	}
	return nil
}
