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

// BenchmarkFile converts one file: a long list of claims in JSON, or a stream of documents in YAML. For comparison, it
// also measures only reading the file.
func BenchmarkFile(b *testing.B) {
	claims := generateClaims(b, "v1alpha2", 1000, 2<<10)
	listRepeats := 100
	documentCount := 200
	if testing.Short() {
		listRepeats = 1
		documentCount = 2
	}
	jsonList := listOf(claims, listRepeats)
	yamlStream := yamlStreamOf(b, claims[:documentCount])
	for format, content := range map[string][]byte{"json": jsonList, "yaml": yamlStream} {
		file := filepath.Join(b.TempDir(), "claims."+format)
		write(b, file, content)
		for _, cores := range []string{"1", "2"} {
			b.Run(fmt.Sprintf("format=%s/cores=%s/by=%s", format, cores, claimbridge), func(b *testing.B) {
				b.SetBytes(int64(len(content)))
				measureCommand(b, cores, 0, "convert", "--to=v1alpha3", "-o", format, "-f", file)
			})
		}
	}
	b.Run("format=json/cores=1/by=json.Valid", func(b *testing.B) {
		measureInProcess(b, len(jsonList), func() error {
			if !json.Valid(jsonList) {
				return errors.New("not JSON")
			}
			return nil
		})
	})
	b.Run("format=yaml/cores=1/by=yaml", func(b *testing.B) {
		measureInProcess(b, len(yamlStream), func() error { return parseYAML(yamlStream) })
	})
}

// listOf returns a v1 List in JSON that has the objects several times.
func listOf(objects [][]byte, repeats int) []byte {
	var list bytes.Buffer
	list.WriteString(`{"apiVersion":"v1","kind":"List","metadata":{},"items":[`)
	for range repeats {
		for _, object := range objects {
			list.Write(object)
			list.WriteString(",\n")
		}
	}
	list.Write(objects[0]) // without a comma after it
	list.WriteString("]}\n")
	return list.Bytes()
}

// yamlStreamOf returns a stream of YAML documents with the objects.
func yamlStreamOf(b *testing.B, objects [][]byte) []byte {
	b.Helper()
	var stream bytes.Buffer
	for _, object := range objects {
		var fields any
		must.Do(b, yaml.Unmarshal(object, &fields))
		stream.Write(must.Get(yaml.Marshal(fields))(b))
		stream.WriteString("---\n")
	}
	return stream.Bytes()
}

// BenchmarkFolder converts files in place: published manifests, each with a claim or template of v1beta1. That is the
// worst case, because most files of a repository have none. For comparison, it also measures only reading the files and
// parsing them twice.
func BenchmarkFolder(b *testing.B) {
	const exitWouldChange = 3
	folder := b.TempDir()
	writeManifests(b, folder)
	b.Run("do=check/by="+claimbridge, func(b *testing.B) {
		measureCommand(b, "1", exitWouldChange, "convert", "--to=v1", "--check", folder)
	})
	b.Run("do=check/by=yaml", func(b *testing.B) {
		measureInProcess(b, 0, func() error { return parseFolderTwice(folder) })
	})
	b.Run("do=write/by="+claimbridge, func(b *testing.B) {
		var total time.Duration
		b.StopTimer()
		for range b.N {
			folderCopy := filepath.Join(b.TempDir(), "copy")
			must.Do(b, os.CopyFS(folderCopy, os.DirFS(folder)))
			b.StartTimer()
			total += runCommand(b, "1", 0, "convert", "--to=v1", "--write", folderCopy)
			b.StopTimer()
		}
		reportProcessorTime(b, total)
	})
}

// writeManifests writes published documents to a folder, one per file, with a hundred files per subfolder.
func writeManifests(b *testing.B, folder string) {
	b.Helper()
	count := 10_000
	if testing.Short() {
		count = 20
	}
	const pattern = "../../internal/conversion/testdata/corpus/*-v1beta1.yaml"
	files := must.Get(filepath.Glob(pattern))(b)
	if len(files) == 0 {
		b.Fatalf("no file matches %s", pattern)
	}
	var documents [][]byte
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(b)
		for document := range bytes.SplitSeq(text, []byte("---\n")) {
			if bytes.Contains(document, []byte("\nkind: ")) {
				documents = append(documents, document)
			}
		}
	}
	for i := range count {
		subfolder := filepath.Join(folder, fmt.Sprintf("%03d", i/100))
		must.Do(b, os.MkdirAll(subfolder, 0o755))
		write(b, filepath.Join(subfolder, fmt.Sprintf("%02d.yaml", i%100)), documents[i%len(documents)])
	}
}

// measureCommand runs claimbridge b.N times on a number of cores, and reports its processor time and peak memory.
func measureCommand(b *testing.B, cores string, wantExitCode int, args ...string) {
	b.Helper()
	var total time.Duration
	for range b.N {
		total += runCommand(b, cores, wantExitCode, args...)
	}
	reportProcessorTime(b, total)
}

// runCommand runs claimbridge once, reports its peak memory, and returns its processor time.
func runCommand(b *testing.B, cores string, wantExitCode int, args ...string) time.Duration {
	b.Helper()
	command := exec.Command(programFile(b, claimbridge), args...)
	command.Env = append(os.Environ(), "GOMAXPROCS="+cores)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	must.Do(b, command.Start())
	peak := watchPeakMemory(pid(command.Process.Pid))
	_ = command.Wait() // the exit code is checked below
	b.ReportMetric(<-peak, "peak-B")
	if got := command.ProcessState.ExitCode(); got != wantExitCode {
		b.Fatalf("%s: got exit code %d, want %d\n%.1000s", command, got, wantExitCode, stderr.Bytes())
	}
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime()
}

// watchPeakMemory reads the peak memory of a process until the process ends, and then sends the last value. The peak in
// the process's resource usage is no alternative, because it includes the memory of the process that started it.
func watchPeakMemory(p pid) <-chan float64 {
	result := make(chan float64, 1)
	go func() {
		peak := 0.0
		for {
			bytes, err := process.Memory(int(p), "VmHWM")
			if err != nil {
				break
			}
			peak = float64(bytes)
			time.Sleep(5 * time.Millisecond)
		}
		result <- peak
	}()
	return result
}

// measureInProcess calls a function that reads a number of bytes.
func measureInProcess(b *testing.B, bytes int, do func() error) {
	b.Helper()
	b.SetBytes(int64(bytes))
	measureCalls(b, 1, func(int) error { return do() }, self)
}

// parseYAML parses all documents of a text with the parser that claimbridge uses.
func parseYAML(text []byte) error {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		err := decoder.Decode(new(yaml.Node))
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// parseFolderTwice reads all files of a folder and parses their documents, and then does both again.
func parseFolderTwice(folder string) error {
	for range 2 {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return parseYAML(text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
