package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/kio"
)

// What is done with a folder, and by whom.
const (
	checked   = "check"
	written   = "write"
	unchanged = "check-again"
	parsed    = "yaml.v3-twice"
	kyaml     = "kyaml"
)

// perFolder is how many files of a folder are below one: as people keep them, and no file system is slow with that.
const perFolder = 100

// folder measures claimbridge convert on files that are changed in place. Each is a manifest that somebody published, with a claim or a
// template of v1beta1 that becomes one of v1. Beside it, in this process, one after the other: reading the same files and parsing them
// twice, by the parser that claimbridge has, and kyaml's reading and writing of them, which kustomize and kpt do. On one core the collector
// of both has no other to itself.
func (b *bench) folder() error {
	for round := range b.bigRounds {
		folder := filepath.Join(b.temp, fmt.Sprintf("folder-%d", round))
		if err := b.fill(folder); err != nil {
			return err
		}
		for _, cores := range []string{"1", "all"} {
			for name, do := range map[string]func(string) error{parsed: parseTwice, kyaml: readAndWrite(folder + "-kyaml-" + cores)} {
				if err := b.inThisProcess(name, cores, folder, do); err != nil {
					return err
				}
			}
			if err := b.convertFolder(checked, cores, folder, exitChange, "--check"); err != nil {
				return err
			}
			copied := folder + "-" + cores
			if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
				return err
			}
			if err := b.convertFolder(written, cores, copied, 0, "--write"); err != nil {
				return err
			}
			if err := b.convertFolder(unchanged, cores, copied, 0, "--check"); err != nil {
				return err
			}
		}
	}
	return nil
}

// exitChange is claimbridge's exit code when a file would change.
const exitChange = 3

// fill a folder with the documents of the manifests that people published, each a file.
func (b *bench) fill(folder string) error {
	var documents [][]byte
	published, err := filepath.Glob(filepath.Join(b.root, "conversion/testdata/corpus/*-v1beta1.yaml"))
	if err != nil || len(published) == 0 {
		return errors.Join(err, errors.New("there are no published manifests"))
	}
	for _, file := range published {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, document := range bytes.Split(text, []byte("---\n")) {
			if bytes.Contains(document, []byte("\nkind: ")) {
				documents = append(documents, document)
			}
		}
	}
	for i := range b.inFolder {
		below := filepath.Join(folder, fmt.Sprintf("%03d", i/perFolder))
		if i%perFolder == 0 {
			if err := os.MkdirAll(below, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(below, fmt.Sprintf("%02d.yaml", i%perFolder)), documents[i%len(documents)], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// convertFolder with the command line.
func (b *bench) convertFolder(what, cores, folder string, exit int, mode string) error {
	cmd := exec.CommandContext(b, b.binaries[claimbridge], "convert", "--to", "v1", mode, folder)
	cmd.Env = append(os.Environ(), procs[cores]...)
	var told bytes.Buffer
	cmd.Stderr = &told
	begun := time.Now()
	_ = cmd.Run() // its exit code says it
	wall := time.Since(begun)
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exit {
		return fmt.Errorf("%s: exit code is not %d\n%.1000s", cmd, exit, told.Bytes())
	}
	b.addFolder(what, claimbridge, cores, wall, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	return nil
}

// inThisProcess does something with a folder.
func (b *bench) inThisProcess(name, cores, folder string, do func(string) error) error {
	if cores == "1" {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	runtime.GC() // nobody pays for the garbage of what was measured before
	before, err := own.cpu()
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := do(folder); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	wall := time.Since(begun)
	after, err := own.cpu()
	b.addFolder(checked, name, cores, wall, after-before)
	return err
}

func (b *bench) addFolder(what, program, cores string, wall, cpu time.Duration) {
	b.results.add(folderName(what, program, cores), b.inFolder, values{
		nsPerOp: float64(wall.Nanoseconds()) / float64(b.inFolder), cpuPerOp: float64(cpu.Nanoseconds()) / float64(b.inFolder),
	})
}

// folderRows are for one file of the folder.
func folderRows(yardstick string) (rows []row) {
	for _, w := range []struct{ what, do, goal string }{
		{"looking what would change", checked, "not more than parsing twice"}, {"changing all of them", written, ""},
		{"looking again, when nothing would", unchanged, ""},
	} {
		goal := ""
		if yardstick == parsed {
			goal = w.goal
		}
		name := folderName(checked, yardstick, "1")
		rows = append(rows, row{what: w.what + ", processor time", yardstick: name, ours: folderName(w.do, claimbridge, "1"), unit: cpuPerOp, show: micros, goal: goal},
			row{what: w.what + ", by the clock", yardstick: name, ours: folderName(w.do, claimbridge, "1"), unit: nsPerOp, show: micros, goal: goal})
	}
	for _, w := range []struct{ what, do, goal string }{
		{"looking what would change, by the clock, on all cores", checked, "not more than parsing twice"}, {"changing all of them, by the clock, on all cores", written, ""},
	} {
		goal := ""
		if yardstick == parsed {
			goal = w.goal
		}
		rows = append(rows, row{what: w.what, yardstick: folderName(checked, yardstick, "all"), ours: folderName(w.do, claimbridge, "all"), unit: nsPerOp, show: micros, goal: goal})
	}
	return rows
}

// parseTwice reads all files of a folder and parses their documents, and does it again.
func parseTwice(folder string) error {
	for range 2 {
		if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for documents := yaml.NewDecoder(bytes.NewReader(text)); err == nil; {
				err = documents.Decode(new(yaml.Node))
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// readAndWrite has kyaml read all files of a folder and write them to another one.
func readAndWrite(to string) func(folder string) error {
	return func(folder string) error {
		if err := os.Mkdir(to, 0o755); err != nil {
			return err
		}
		return kio.Pipeline{
			Inputs:  []kio.Reader{kio.LocalPackageReader{PackagePath: folder}},
			Outputs: []kio.Writer{kio.LocalPackageWriter{PackagePath: to}},
		}.Execute()
	}
}

func folderName(what, program, cores string) string {
	return fmt.Sprintf("Folder/do=%s/program=%s/cores=%s", what, program, cores)
}
