package main

import "math"

// quantiles that the latency plot has: from the fastest call to one in a thousand.
var quantiles = func() (q []float64) {
	for i := range 200 {
		q = append(q, 1-math.Pow(10, -3*float64(i)/199))
	}
	return q
}()

// distribution of the latencies in microseconds, at the quantiles.
func (l *load) distribution() (microseconds []float64) {
	for _, q := range quantiles {
		microseconds = append(microseconds, float64(l.quantile(q).Nanoseconds())/1e3)
	}
	return microseconds
}
