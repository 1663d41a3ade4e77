//go:build linux

package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/test/testkit/process"
)

// BenchmarkFile converts one file: a long list of claims in JSON, and documents of YAML. It also measures only reading
// the file.
func BenchmarkFile(b *testing.B) {
	objects := claimsOf(b, "v1alpha2", 1000, 2<<10)
	times, documents := 100, objects[:200]
	if testing.Short() {
		times, documents = 1, objects[:2]
	}
	list := append([]byte(`{"apiVersion":"v1","kind":"List","metadata":{},"items":[`),
		bytes.Repeat(append(bytes.Join(objects, []byte(",\n")), ",\n"...), times)...)
	list = append(list, append(objects[0], "]}\n"...)...)
	var text []byte
	for _, object := range documents {
		var fields any
		must.Do(b, yaml.Unmarshal(object, &fields))
		document := must.Get(yaml.Marshal(fields))(b)
		text = append(append(text, document...), "---\n"...)
	}
	for format, content := range map[string][]byte{"json": list, "yaml": text} {
		file := filepath.Join(b.TempDir(), "claims."+format)
		write(b, file, content)
		for _, cores := range []string{"1", "2"} {
			b.Run(fmt.Sprintf("format=%s/cores=%s/by=%s", format, cores, ours), func(b *testing.B) {
				b.SetBytes(int64(len(content)))
				run(b, cores, 0, "convert", "--to=v1alpha3", "-o", format, "-f", file)
			})
		}
	}
	b.Run("format=json/cores=1/by=json.Valid", func(b *testing.B) {
		inProcess(b, len(list), func() error {
			if !json.Valid(list) {
				return errors.New("not JSON")
			}
			return nil
		})
	})
	b.Run("format=yaml/cores=1/by=yaml", func(b *testing.B) {
		inProcess(b, len(text), func() error { return parse(text) })
	})
}

// BenchmarkFolder changes files in place: published manifests, each with a claim or template of v1beta1. That is the
// worst case, because most files of a repository have none. It also measures only reading the files and parsing them
// twice.
func BenchmarkFolder(b *testing.B) {
	const exitChange = 3
	folder := b.TempDir()
	fill(b, folder)
	b.Run("do=check/by="+ours, func(b *testing.B) { run(b, "1", exitChange, "convert", "--to=v1", "--check", folder) })
	b.Run("do=check/by=yaml", func(b *testing.B) { inProcess(b, 0, func() error { return parseTwice(folder) }) })
	b.Run("do=write/by="+ours, func(b *testing.B) {
		var spent time.Duration
		b.StopTimer()
		for range b.N {
			copied := filepath.Join(b.TempDir(), "copy")
			must.Do(b, os.CopyFS(copied, os.DirFS(folder)))
			b.StartTimer()
			spent += once(b, "1", 0, "convert", "--to=v1", "--write", copied)
			b.StopTimer()
		}
		perCall(b, spent)
	})
}

// fill writes published documents to a folder, one per file, with a hundred files per subfolder.
func fill(b *testing.B, folder string) {
	b.Helper()
	count := 10_000
	if testing.Short() {
		count = 20
	}
	published, err := filepath.Glob("../../internal/conversion/testdata/corpus/*-v1beta1.yaml")
	if err != nil || len(published) == 0 {
		b.Fatalf("there are no published manifests: %v", err)
	}
	var documents [][]byte
	for _, file := range published {
		text := must.Get(os.ReadFile(file))(b)
		for document := range bytes.SplitSeq(text, []byte("---\n")) {
			if bytes.Contains(document, []byte("\nkind: ")) {
				documents = append(documents, document)
			}
		}
	}
	for i := range count {
		below := filepath.Join(folder, fmt.Sprintf("%03d", i/100))
		must.Do(b, os.MkdirAll(below, 0o755))
		write(b, filepath.Join(below, fmt.Sprintf("%02d.yaml", i%100)), documents[i%len(documents)])
	}
}

// run the command line b.N times, on some cores, and report its processor time and the most memory.
func run(b *testing.B, cores string, exit int, args ...string) {
	b.Helper()
	var spent time.Duration
	for range b.N {
		spent += once(b, cores, exit, args...)
	}
	perCall(b, spent)
}

func once(b *testing.B, cores string, exit int, args ...string) time.Duration {
	b.Helper()
	command := exec.Command(program(b, ours), args...)
	command.Env = append(os.Environ(), "GOMAXPROCS="+cores)
	var told bytes.Buffer
	command.Stderr = &told
	must.Do(b, command.Start())
	peak := watchPeak(pid(command.Process.Pid))
	_ = command.Wait() // its exit code says it
	b.ReportMetric(<-peak, "peak-B")
	if command.ProcessState.ExitCode() != exit {
		b.Fatalf("%s: exit code is not %d\n%.1000s", command, exit, told.Bytes())
	}
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}

// watchPeak reads a process's peak of memory until it is gone, and gives the last. The one that the
// kernel reports at the end begins with the memory of the process that started this one.
func watchPeak(p pid) <-chan float64 {
	last := make(chan float64, 1)
	go func() {
		peak := 0.0
		for bytes, err := process.Memory(int(p), "VmHWM"); err == nil; bytes, err = process.Memory(int(p), "VmHWM") {
			peak = float64(bytes)
			time.Sleep(5 * time.Millisecond)
		}
		last <- peak
	}()
	return last
}

// inProcess does something that reads so many bytes.
func inProcess(b *testing.B, bytes int, do func() error) {
	b.Helper()
	b.SetBytes(int64(bytes))
	load(b, 1, func(int) error { return do() }, self)
}

// parse all documents of a text, by the parser that claimbridge has.
func parse(text []byte) error {
	for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
		if err := documents.Decode(new(yaml.Node)); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// parseTwice reads all files of a folder and parses their documents, and does it again.
func parseTwice(folder string) error {
	for range 2 {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return parse(text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
