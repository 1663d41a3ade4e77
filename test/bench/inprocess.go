package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

const (
	allocsPerOp = "allocs/op"
	bytesPerOp  = "B/op"
)

// inProcess runs the Go benchmarks: the handlers without network and TLS, and claimbridge's conversions of all pairs.
func (b *bench) inProcess() error {
	reviews := map[string]map[string][]byte{claimbridge: {}, stock: {}} // by server and name
	for name, p := range map[string]pair{"up": write, "down": read} {
		reviews[claimbridge][name] = p.review(0, 2)
		reviews[stock][name] = reviews[claimbridge][name]
	}
	for _, p := range currentPairs {
		reviews[claimbridge][p.name()] = p.review(0, 2)
	}
	for server, bodies := range reviews {
		if err := os.MkdirAll(filepath.Join(b.temp, "reviews", server), 0o755); err != nil {
			return err
		}
		for name, body := range bodies {
			if err := os.WriteFile(filepath.Join(b.temp, "reviews", server, name+".json"), body, 0o644); err != nil {
				return err
			}
		}
	}
	for range b.bigRounds {
		for server, module := range map[string]string{claimbridge: "test/bench", stock: "test/bench/stock"} {
			cmd := exec.CommandContext(b, b.goTool, "-C", module, "test", "-run", "^$", "-bench", ".", "-benchmem", "-benchtime", b.benchtime, ".")
			cmd.Dir = b.root
			cmd.Env = append(os.Environ(), "BENCH_REVIEWS="+filepath.Join(b.temp, "reviews", server))
			output, err := cmd.Output()
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", cmd, err, output)
			}
			b.results.read(server, output)
		}
	}
	return nil
}

var benchmarkLine = regexp.MustCompile(`^Benchmark(\w+)(/\S+?)?(?:-\d+)?\s+(\d+)\s+(.*)$`)

// read the output of Go benchmarks as samples of a server.
func (r *results) read(server string, output []byte) {
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		found := benchmarkLine.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		n, _ := strconv.Atoi(found[3]) // digits, by the expression
		v := values{}
		fields := strings.Fields(found[4])
		for i := 0; i+1 < len(fields); i += 2 {
			if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
				v[fields[i+1]] = value
			}
		}
		r.add(fmt.Sprintf("%s/server=%s%s", found[1], server, found[2]), n, v)
	}
}
