package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// colors that the colour-blind can tell apart.
var colors = map[string]string{null: "#6e7781", claimbridge: "#0550ae", stock: "#d1570b", valid: "#1a7f5a"}

// plots that there are figures for.
func (r *results) plots(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	charts := map[string]chart{}
	if len(r.Latencies) > 0 {
		charts["latency.svg"] = r.latencyChart()
	}
	if counts := r.counts(); len(counts) > 1 {
		charts["throughput.svg"] = r.throughputChart(counts)
		charts["memory.svg"] = r.memoryChart(counts)
	}
	for name, c := range charts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(c.svg()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (r *results) latencyChart() chart {
	c := chart{
		title: "One claim of 2 KiB a call, HTTP/1.1 over TLS, one caller",
		x:     "of all calls take no longer", y: "µs", show: number,
		ticks: []tick{{0, "0 %"}, {math.Log10(2), "50 %"}, {1, "90 %"}, {2, "99 %"}, {3, "99.9 %"}},
	}
	for _, server := range servers {
		s := series{name: label(server), color: colors[server]}
		for i, latency := range r.Latencies[server] {
			if i > 0 {
				s.points = append(s.points, [2]float64{-math.Log10(1 - quantiles[i]), latency})
			}
		}
		c.series = append(c.series, s)
	}
	return c
}

func (r *results) throughputChart(counts []int) chart {
	c := chart{title: "Throughput of reviews of many claims", x: "claims in a review", y: "MB/s", show: number, ticks: countTicks(counts)}
	for _, server := range []string{null, valid, claimbridge, stock} {
		c.series = append(c.series, r.overCounts(server, "1", mbPerSecond, 1, counts))
	}
	all := r.overCounts(claimbridge, "all", mbPerSecond, 1, counts)
	all.name, all.dashed = "on all cores", true
	c.series = append(c.series, all)
	return c
}

func (r *results) memoryChart(counts []int) chart {
	c := chart{title: "The most memory of a server after reviews of that size, one core", x: "claims in a review", y: "MiB", show: number, ticks: countTicks(counts)}
	for _, server := range servers {
		c.series = append(c.series, r.overCounts(server, "1", peakBytes, 1<<20, counts))
	}
	return c
}

// overCounts is a series of medians by the number of claims.
func (r *results) overCounts(server, cores, unit string, scale float64, counts []int) series {
	s := series{name: label(server), color: colors[server], marked: true, dashed: server == valid}
	for _, count := range counts {
		if median, _, ok := r.median(reviewName(server, cores, count), unit); ok && median > 0 {
			s.points = append(s.points, [2]float64{math.Log10(float64(count)), median / scale})
		}
	}
	return s
}

func label(server string) string {
	if server == null {
		return "null webhook"
	}
	return server
}

func countTicks(counts []int) (ticks []tick) {
	for _, count := range counts {
		ticks = append(ticks, tick{math.Log10(float64(count)), fmt.Sprint(count)})
	}
	return ticks
}
