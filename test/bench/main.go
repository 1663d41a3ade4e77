package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:forbidigo // a program of its own
	}
}

// sections in the order of the table.
var sections = []struct {
	name string
	run  func(*bench) error
}{
	{"calls", (*bench).calls},
	{"reviews", (*bench).reviews},
	{"memory", (*bench).memory},
	{"startup", (*bench).startup},
	{"inprocess", (*bench).inProcess},
	{"files", (*bench).files},
	{"folder", (*bench).folder},
	{"cluster", (*bench).cluster},
	{"served", (*bench).served},
	{"bridge", (*bench).bridge},
}

// bench is one run.
type bench struct {
	context.Context
	plan
	goTool string
	// root of the repository, and a folder that goes away.
	root, temp string
	binaries   map[string]string
	tls        *credentials
	results    *results
	// latencies of all rounds of the calls that are drawn, by server.
	latencies map[string][]time.Duration
	// later is what has to wait until other sections are done, atEnd what ends with the run.
	later []func() error
	atEnd []func()
}

func run() error {
	mode := flag.String("mode", "full", "full (some twenty minutes), quick (about two) or smoke (seconds, for a test of this program: its figures mean nothing)")
	only := flag.String("only", "", "sections to measure, with commas between them: "+strings.Join(sectionNames(), ",")+" (default: all)")
	out := flag.String("out", "bin/bench", "folder for results.txt (for benchstat), results.json, table.md and the plots")
	update := flag.Bool("update-docs", false, "put the table into docs/performance.md and the plots into docs/images")
	from := flag.String("from", "", "measure nothing, take results.json of an earlier run")
	root := flag.String("root", ".", "folder of the repository")
	goTool := flag.String("go", "go", "the go command")
	flag.Parse()

	plan, ok := plans[*mode]
	if !ok {
		return fmt.Errorf("--mode=%s: must be full, quick or smoke", *mode)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	b := &bench{Context: ctx, plan: plan, goTool: *goTool, latencies: map[string][]time.Duration{}}
	var err error
	if b.root, err = filepath.Abs(*root); err != nil {
		return err
	}
	if *from != "" {
		if b.results, err = readResults(*from); err != nil {
			return err
		}
	} else if err = b.measure(*only); b.results == nil {
		return err
	}
	if !filepath.IsAbs(*out) {
		*out = filepath.Join(b.root, *out)
	}
	// What was measured is told even when a section failed, but does not get into the documentation then.
	return errors.Join(err, b.report(*out, *update && err == nil))
}

func (b *bench) measure(only string) error {
	chosen := sectionNames()
	if only != "" {
		chosen = strings.Split(only, ",")
	}
	for _, name := range chosen {
		if !slices.Contains(sectionNames(), name) {
			return fmt.Errorf("--only=%s: no section %q; there are %s", only, name, strings.Join(sectionNames(), ", "))
		}
	}
	temp, err := os.MkdirTemp("", "claimbridge-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	b.temp = temp
	if b.tls, err = newCredentials(temp); err != nil {
		return err
	}
	if err := b.build(); err != nil {
		return err
	}
	if b.results, err = newResults(b.Context, b.goTool, b.plan.name); err != nil {
		return err
	}
	defer func() {
		for _, end := range b.atEnd {
			end()
		}
	}()
	var failed error
	for _, s := range sections {
		if !slices.Contains(chosen, s.name) || b.Err() != nil {
			continue
		}
		begun := time.Now()
		b.say("%s ...", s.name)
		if err := s.run(b); err != nil {
			b.say("%s: %v", s.name, err)
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.name, err))
		}
		b.say("%s: %.0f s", s.name, time.Since(begun).Seconds())
	}
	for _, rest := range b.later {
		failed = errors.Join(failed, rest())
	}
	return errors.Join(failed, b.Err())
}

// report writes all there is to read, and prints the table.
func (b *bench) report(out string, update bool) error {
	if err := b.results.write(out); err != nil {
		return err
	}
	table := b.results.table()
	if err := os.WriteFile(filepath.Join(out, "table.md"), []byte(table), 0o644); err != nil {
		return err
	}
	images := []string{out}
	if missing := b.results.missing(); update && len(missing) > 0 {
		return fmt.Errorf("the documentation is not updated, nothing was measured of: %s", strings.Join(missing, "; "))
	}
	if update {
		images = append(images, filepath.Join(b.root, "docs", "images"))
		if err := updateDocs(filepath.Join(b.root, "docs", "performance.md"), table); err != nil {
			return err
		}
	}
	for _, folder := range images {
		if err := b.results.plots(folder); err != nil {
			return err
		}
	}
	fmt.Print(table)
	b.say("for benchstat: %s", filepath.Join(out, "results.txt"))
	return nil
}

func (*bench) say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

func sectionNames() (names []string) {
	for _, s := range sections {
		names = append(names, s.name)
	}
	return names
}
