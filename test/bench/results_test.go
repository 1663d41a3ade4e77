package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMedianOfRounds(t *testing.T) {
	tests := map[string]struct {
		rounds         []float64
		median, spread float64
		ok             bool
	}{
		"no rounds":         {},
		"one round":         {rounds: []float64{4}, median: 4, ok: true},
		"three rounds":      {rounds: []float64{30, 10, 20}, median: 20, spread: 0.5, ok: true},
		"an even number":    {rounds: []float64{1, 4, 2, 3}, median: 2.5, spread: 0.6, ok: true},
		"all of them are 0": {rounds: []float64{0, 0}, ok: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := &results{}
			for _, v := range test.rounds {
				r.add("A", 1, values{nsPerOp: v})
				r.add("B", 1, values{nsPerOp: 1000})
			}
			median, spread, ok := r.median("A", nsPerOp)
			if median != test.median || spread != test.spread || ok != test.ok {
				t.Errorf("got %v ±%v %t, want %v ±%v %t", median, spread, ok, test.median, test.spread, test.ok)
			}
		})
	}
}

func TestBenchmarkOutputIsRead(t *testing.T) {
	r := &results{}
	r.read(stock, []byte("goos: linux\nBenchmarkHandler/review=up-2 \t  100\t  12345 ns/op\t 8.50 MB/s\t 144 allocs/op\nPASS\n"))
	want := []sample{{Name: "Handler/server=stock/review=up", N: 100, Values: values{nsPerOp: 12345, mbPerSecond: 8.5, allocsPerOp: 144}}}
	if diff := cmp.Diff(want, r.Samples); diff != "" {
		t.Error(diff)
	}
}

func TestQuantile(t *testing.T) {
	sorted := make([]time.Duration, 1000)
	for i := range sorted {
		sorted[i] = time.Duration(i)
	}
	for q, want := range map[float64]time.Duration{0: 0, 0.5: 500, 0.99: 990, 1: 999} {
		if got := quantile(sorted, q); got != want {
			t.Errorf("quantile %v: got %d, want %d", q, got, want)
		}
	}
}

// The table says which is better whatever the unit, and leaves out what was not measured.
func TestTableRatios(t *testing.T) {
	c := cell{http1, 8, 2}
	r := &results{Mode: "test"}
	for server, cost := range map[string]float64{null: 20_000, claimbridge: 25_000, stock: 100_000} {
		r.add(callName(server, c), 1, values{cpuPerOp: cost})
		r.add(reviewName(server, "1", 1000), 1, values{nsPerOp: cost, mbPerSecond: 1e7 / cost})
	}
	table := r.table()
	for _, want := range []string{
		"| 2 KiB, HTTP/1.1, 8 callers | 20.0 µs | 25.0 µs | 100.0 µs | 1.25 | 4.0 |",
		"| 1000, cores: 1 | 500 MB/s | 400 MB/s | 100 MB/s | 0.80 | 4.0 |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("there is no line %s in\n%s", want, table)
		}
	}
	if strings.Contains(table, "16 KiB") || strings.Contains(table, "YAML") {
		t.Errorf("there is a line for what was not measured:\n%s", table)
	}
	missing := strings.Join(r.missing(), "; ")
	if !strings.Contains(missing, "YAML") || strings.Contains(missing, "by the clock") {
		t.Errorf("missing: %s", missing)
	}
}

func TestChartsAreXML(t *testing.T) {
	r := &results{Latencies: map[string][]float64{}}
	for _, server := range servers {
		r.Latencies[server] = distribution([]time.Duration{time.Millisecond, 2 * time.Millisecond})
		for _, count := range []int{1, 1000} {
			r.add(reviewName(server, "1", count), 1, values{nsPerOp: 1, mbPerSecond: 50, peakBytes: 1 << 25})
		}
	}
	folder := t.TempDir()
	if err := r.plots(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"latency.svg", "throughput.svg", "memory.svg"} {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for decoder := xml.NewDecoder(strings.NewReader(string(content))); ; {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if start, ok := token.(xml.StartElement); ok && start.Name.Local == "polyline" {
				lines++
			}
		}
		if lines < len(servers) {
			t.Errorf("%s: %d lines", name, lines)
		}
	}
}

func TestDocsKeepWhatIsAroundTheTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "performance.md")
	if err := os.WriteFile(file, []byte("before\n"+tableBegins+"old\n"+tableEnds+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // once more changes nothing
		if err := updateDocs(file, "new\n"); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("before\n"+tableBegins+"\nnew\n\n"+tableEnds+"after\n", string(content)); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(file, []byte("no marks\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := updateDocs(file, "new\n"); err == nil {
		t.Error("a page without marks was written")
	}
}
