package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
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

// Of each pair the table has the object that is slowest, before them the slowest of all, and the best of all as yardstick;
// pairs of v1 have the best older pair.
func TestTableOfPairs(t *testing.T) {
	r := &results{Mode: "test"}
	for p, speeds := range map[pair][2]float64{
		{"v1alpha1", "v1alpha2"}: {150, 90}, {"v1alpha2", "v1alpha1"}: {100, 180}, {"v1beta1", "v1"}: {200, 160},
	} {
		for i, speed := range speeds { // a claim without leftovers, and one with
			r.add(pairName(p, objects[i].name), 1, values{mbPerCPUSecond: speed})
		}
	}
	table := r.table()
	for _, want := range []string{
		"| the slowest: v1alpha1 to v1alpha2 (claim, leftovers) | 200 MB/s | 90 MB/s |  | 0.45 |",
		"| v1alpha2 to v1alpha1 (claim) | 200 MB/s | 100 MB/s |  | 0.50 |",
		"| v1beta1 to v1 (claim, leftovers) | 200 MB/s | 160 MB/s |  | 0.80 |",
		"| v1beta1 to v1, claim | 150 MB/s | 200 MB/s |  | 1.33 |",
		"| v1beta1 to v1, claim, leftovers | 180 MB/s | 160 MB/s |  | 0.89 |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("there is no line %s in\n%s", want, table)
		}
	}
}

// What is compared with in-tree says how much more it takes; what was measured of one of them alone is left out.
func TestTableOfDifferences(t *testing.T) {
	r := &results{Mode: "test"}
	for call, took := range map[string][2]float64{bridgeGet: {1_000_000, 2_250_000}, bridgePut: {4_000_000, 3_000_000}, bridgeList: {150e6, 300e6}} {
		r.add(bridgeName(call, inTree), 1, values{p50PerOp: took[0]})
		r.add(bridgeName(call, throughProxy), 1, values{p50PerOp: took[1]})
	}
	r.add(bridgeName(bridgeCreate, throughProxy), 1, values{p50PerOp: 1})
	r.add(bridgeStored, 5000, values{})
	table := r.table()
	for _, want := range []string{
		"| get | 1.00 ms | 2.25 ms | +1.25 ms | 2.25 |",
		"| put | 4.00 ms | 3.00 ms | -1.00 ms | 0.75 |",
		"| list of 5000 claims | 150 ms | 300 ms | +150 ms | 2.00 |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("there is no line %s in\n%s", want, table)
		}
	}
	if strings.Contains(table, "create") {
		t.Errorf("there is a line for what was measured of one alone:\n%s", table)
	}
}

func TestChild(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	var found process
	var err error
	for range 100 { // until the child has the program's name
		if found, err = child("sleep"); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil || found != process(cmd.Process.Pid) {
		t.Errorf("got %d, %v, want %d", found, err, cmd.Process.Pid)
	}
	if p, err := child("nobody-has-this"); err == nil {
		t.Errorf("found %d", p)
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
