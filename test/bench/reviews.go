package main

import (
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/test/bench/claims"
)

const (
	// Throughput in bytes of the request, by the clock and by the server's processor time.
	mbPerSecond    = "MB/s"
	mbPerCPUSecond = "MB/cpu-s"
	peakBytes      = "peak-B"
	valid          = "json.Valid"
)

// procs are the numbers of cores that a server may use, by how Go's runtime is told.
var procs = map[string][]string{"1": {"GOMAXPROCS=1"}, "all": nil}

// reviews measures reviews of many claims, from 1 to 20,000, one at a time, on one core and on all. Memory is the highest so
// far: the reviews grow, and each server begins anew.
func (b *bench) reviews() error {
	for _, cores := range []string{"1", "all"} {
		running := map[string]*server{}
		defer func() { stopAll(running) }()
		for _, name := range []string{claimbridge, stock} {
			s, err := b.start(name, procs[cores])
			if err != nil {
				return err
			}
			running[name] = s
		}
		for _, count := range b.counts {
			bodies := [][]byte{bigReview(count)}
			nothing, err := b.startNull(running[claimbridge], bodies)
			if err != nil {
				return err
			}
			if _, err := b.answers(running[stock], bodies); err != nil {
				nothing.stop()
				return err
			}
			running[null] = nothing
			for round := range b.bigRounds {
				for i := range servers {
					if err := b.review(running[servers[(i+round)%len(servers)]], bodies, cores, count); err != nil {
						return err
					}
				}
				if cores == "1" {
					if err := b.valid(bodies[0], count); err != nil {
						return err
					}
				}
			}
			nothing.stop()
			delete(running, null)
		}
		stopAll(running)
		clear(running)
	}
	return nil
}

// review sends reviews one after the other, as a caller that is no API server and so gets the whole metadata.
func (b *bench) review(s *server, bodies [][]byte, cores string, count int) error {
	client := b.caller(s, http1, 1, "bench")
	defer client.close()
	l, err := client.run(b, s.process, 1, bodies, b.window/2)
	if err != nil {
		return err
	}
	peak, err := s.peak()
	if err != nil {
		return err
	}
	bytes := float64(l.calls * len(bodies[0]))
	b.results.add(reviewName(s.name, cores, count), l.calls, values{
		nsPerOp: float64(l.wall.Nanoseconds()) / float64(l.calls), cpuPerOp: float64(l.cpu.Nanoseconds()) / float64(l.calls),
		mbPerSecond: bytes / 1e6 / l.wall.Seconds(), mbPerCPUSecond: bytes / 1e6 / l.cpu.Seconds(), peakBytes: float64(peak),
	})
	return nil
}

// valid measures encoding/json's check of the same request, on one core, in this process.
func (b *bench) valid(body []byte, count int) error {
	before, err := own.cpu()
	if err != nil {
		return err
	}
	calls := 0
	begun := time.Now()
	for ; calls == 0 || time.Since(begun) < b.window/4; calls++ {
		if !json.Valid(body) {
			return fmt.Errorf("a review of %d claims is not JSON", count)
		}
	}
	wall := time.Since(begun)
	after, err := own.cpu()
	if err != nil {
		return err
	}
	bytes := float64(calls * len(body))
	b.results.add(reviewName(valid, "1", count), calls, values{
		nsPerOp: float64(wall.Nanoseconds()) / float64(calls), cpuPerOp: float64((after - before).Nanoseconds()) / float64(calls),
		mbPerSecond: bytes / 1e6 / wall.Seconds(), mbPerCPUSecond: bytes / 1e6 / (after - before).Seconds(),
	})
	return nil
}

func reviewName(server, cores string, count int) string {
	return fmt.Sprintf("Review/server=%s/cores=%s/claims=%d", server, cores, count)
}

// bigReview asks for v1alpha3 of claims of v1alpha2 with 2 KiB each.
func bigReview(count int) []byte {
	return claims.Review("v1alpha3", classics(count)...)
}

// classics are claims of v1alpha2 of 2 KiB each, no two the same.
func classics(count int) (objects [][]byte) {
	var growth int
	claims.Sized(2<<10, func(g int) runtime.Object { growth = g; return claims.Classic(0, g) })
	for i := range count {
		objects = append(objects, claims.Encode(claims.Classic(i, growth)))
	}
	return objects
}
