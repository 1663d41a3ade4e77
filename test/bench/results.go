package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// values of one measurement by their units, as in Go's benchmark format.
type values map[string]float64

// sample is one round of a measurement.
type sample struct {
	Name   string `json:"name"`
	N      int    `json:"n"`
	Values values `json:"values"`
}

// results of a run.
type results struct {
	Machine machine  `json:"machine"`
	Mode    string   `json:"mode"`
	Samples []sample `json:"samples"`
	// Latencies are quantiles in microseconds, by server, for the plot: one for each entry of quantiles.
	Latencies map[string][]float64 `json:"latencies,omitempty"`
}

func newResults(ctx context.Context, goTool, mode string) (*results, error) {
	m, err := thisMachine(ctx, goTool)
	if err != nil {
		return nil, err
	}
	return &results{Machine: m, Mode: mode, Latencies: map[string][]float64{}}, nil
}

func readResults(file string) (*results, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &results{}
	return r, json.Unmarshal(content, r)
}

// add a round of a measurement of n operations.
func (r *results) add(name string, n int, v values) {
	r.Samples = append(r.Samples, sample{name, n, v})
}

// all rounds of a measurement in a unit, sorted.
func (r *results) all(name, unit string) (sorted []float64) {
	for _, s := range r.Samples {
		if v, ok := s.Values[unit]; ok && s.Name == name {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	return sorted
}

// median of the rounds, and how far they are spread around it: half of the range, as a part of the median.
func (r *results) median(name, unit string) (median, spread float64, ok bool) {
	all := r.all(name, unit)
	if len(all) == 0 {
		return 0, 0, false
	}
	median = (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	if median != 0 {
		spread = (all[len(all)-1] - all[0]) / 2 / median
	}
	return median, spread, true
}

// units that the name of a measurement has.
func (s sample) units() (sorted []string) {
	for unit := range s.Values {
		if unit != nsPerOp {
			sorted = append(sorted, unit)
		}
	}
	slices.Sort(sorted)
	if _, ok := s.Values[nsPerOp]; ok {
		return append([]string{nsPerOp}, sorted...)
	}
	return sorted
}

// write results.txt in Go's benchmark format and results.json.
func (r *results) write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "goos: %s\ngoarch: %s\npkg: github.com/claimbridge/claimbridge/test/bench\ncpu: %s\n", r.Machine.OS, r.Machine.Arch, r.Machine.CPU)
	for _, s := range r.Samples {
		fmt.Fprintf(&text, "Benchmark%s-%d\t%d", s.Name, r.Machine.Cores, max(s.N, 1))
		for _, unit := range s.units() {
			fmt.Fprintf(&text, "\t%s %s", strings.TrimSuffix(fmt.Sprintf("%.2f", s.Values[unit]), ".00"), unit)
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(folder, "results.txt"), text.Bytes(), 0o644); err != nil {
		return err
	}
	content, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "results.json"), content, 0o644)
}
