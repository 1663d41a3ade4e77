package main

import (
	"math"
	"slices"
	"time"
)

// quantiles that the latency plot has: from the fastest call to one in a thousand.
var quantiles = func() (q []float64) {
	for i := range 200 {
		q = append(q, 1-math.Pow(10, -3*float64(i)/199))
	}
	return q
}()

// distribution of latencies in microseconds, at the quantiles.
func distribution(latencies []time.Duration) (microseconds []float64) {
	sorted := slices.Sorted(slices.Values(latencies))
	for _, q := range quantiles {
		microseconds = append(microseconds, float64(quantile(sorted, q).Nanoseconds())/1e3)
	}
	return microseconds
}

// quantile, between 0 and 1, of latencies that are sorted.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
