package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/claimbridge/claimbridge/test/bench/claims"
)

const residentBytes = "resident-B"

// memory measures what servers keep in memory: idle, at the peak of a burst, and when left alone after it; then claimbridge
// alone under load for a while, and under a limit that does not hold what is sent.
func (b *bench) memory() error {
	for _, name := range servers {
		if err := b.burst(name); err != nil {
			return err
		}
	}
	if err := b.soaked(); err != nil {
		return err
	}
	return b.limited()
}

// burst is one review of as many claims as are sent at all, to a server that has done nothing yet.
func (b *bench) burst(name string) error {
	count := slices.Max(b.counts)
	s, err := b.restingServer(name)
	if err != nil {
		return err
	}
	time.Sleep(min(b.afterBurst, time.Second))
	if err := b.readResident(s, "idle"); err != nil {
		return err
	}
	client := b.caller(s, http1, 1, "bench")
	_, err = client.post(b, bigReview(count), io.Discard)
	client.close()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	peak, err := s.peak()
	if err != nil {
		return err
	}
	b.results.add(memoryName(name, "burst"), 1, values{peakBytes: float64(peak)})
	rested := time.Now().Add(b.afterBurst)
	b.later = append(b.later, func() error { // other sections need not wait for it
		select {
		case <-time.After(time.Until(rested)):
		case <-b.Done():
		}
		return b.readResident(s, "rested")
	})
	return nil
}

// restingServer is stopped when the run ends. What the null webhook answers is small, since it would be kept in memory.
func (b *bench) restingServer(name string) (*server, error) {
	start := func() (*server, error) { return b.start(name, nil) }
	if name == null {
		other, err := b.start(claimbridge, nil)
		if err != nil {
			return nil, err
		}
		defer other.stop()
		start = func() (*server, error) { return b.startNull(other, [][]byte{bigReview(1)}) }
	}
	s, err := start()
	if err != nil {
		return nil, err
	}
	b.atEnd = append(b.atEnd, s.stop)
	return s, nil
}

func (b *bench) readResident(s *server, when string) error {
	resident, err := s.resident()
	if err != nil {
		return err
	}
	b.results.add(memoryName(s.name, when), 1, values{residentBytes: float64(resident)})
	return nil
}

func memoryName(server, when string) string {
	return fmt.Sprintf("Memory/server=%s/when=%s", server, when)
}

// soaked keeps claimbridge busy with calls of all sizes and looks at its memory after a quarter of the time, and at the end.
func (b *bench) soaked() error {
	s, err := b.start(claimbridge, nil)
	if err != nil {
		return err
	}
	defer s.stop()
	var bodies [][]byte
	for _, kib := range []int{2, 2, 2, 2, 16, 256} {
		some, err := oneClaimReviews(kib)
		if err != nil {
			return err
		}
		bodies = append(bodies, some...)
	}
	client := b.caller(s, http1, 8, apiServer)
	defer client.close()
	for quarter := range 4 {
		if err := s.resetPeak(); err != nil {
			return err
		}
		l, err := client.run(b, s.process, 8, bodies, b.soak/4)
		if err != nil {
			return err
		}
		peak, err := s.peak()
		if err != nil {
			return err
		}
		b.results.add(fmt.Sprintf("Soak/server=%s/quarter=%d", s.name, quarter+1), l.calls, values{peakBytes: float64(peak)})
	}
	return nil
}

// limited sends 64 reviews of 3 MiB at once to a claimbridge that may use 64 MiB, and asks again as an API server does: up
// to ten times after 429 with Retry-After, for 30 s in all.
func (b *bench) limited() error {
	s, err := b.start(claimbridge, []string{"GOMEMLIMIT=64MiB"})
	if err != nil {
		return err
	}
	defer s.stop()
	objects := classics(3 << 20 / (2 << 10))
	body := claims.Review("v1alpha3", objects...)
	ctx, cancel := context.WithTimeout(b, 30*time.Second)
	defer cancel()
	client := b.caller(s, http1, 64, apiServer)
	defer client.close()
	var (
		mu                           sync.Mutex
		served, atOnce, shed, failed int
		first                        error
		wg                           sync.WaitGroup
	)
	for range 64 {
		wg.Go(func() {
			times, err := client.insist(ctx, body)
			mu.Lock()
			defer mu.Unlock()
			shed += times
			switch {
			case err != nil:
				failed++
				first = errors.Join(first, err)
			case times == 0:
				atOnce++
				served++
			default:
				served++
			}
		})
	}
	wg.Wait()
	peak, err := s.peak()
	if err != nil {
		return fmt.Errorf("claimbridge under GOMEMLIMIT=64MiB is gone: %w", err)
	}
	if err := s.wait(b, b.tls); err != nil {
		return fmt.Errorf("claimbridge under GOMEMLIMIT=64MiB: %w", err)
	}
	if failed > 0 {
		b.say("under GOMEMLIMIT=64MiB %d of 64 reviews were not served, for example: %.300v", failed, first)
	}
	b.results.add("Limited/server=claimbridge", 64, values{
		"served": float64(served), "at-once": float64(atOnce), "shed": float64(shed), "failed": float64(failed), peakBytes: float64(peak),
	})
	return nil
}

// insist sends until there is an answer other than 429 with Retry-After, at most eleven times. It tells how often there was.
func (c *caller) insist(ctx context.Context, body []byte) (shed int, err error) {
	for {
		_, err := c.post(ctx, body, io.Discard)
		var refused *statusError
		if !errors.As(err, &refused) || refused.code != http.StatusTooManyRequests || refused.retryAfter == "" || shed == 10 {
			return shed, err
		}
		seconds, err := strconv.Atoi(refused.retryAfter)
		if err != nil {
			return shed, err
		}
		shed++
		select {
		case <-time.After(time.Duration(seconds) * time.Second):
		case <-ctx.Done():
			return shed, ctx.Err()
		}
	}
}
