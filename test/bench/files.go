package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"sigs.k8s.io/yaml"
)

const (
	yamlParse = "sigs.k8s.io/yaml"
	jsonDump  = "json"
	yamlDump  = "yaml"
)

// files measures claimbridge convert on a list of claims in JSON, compact and without end, and on documents of YAML, with
// parsing alone by sigs.k8s.io/yaml as yardstick.
func (b *bench) files() error {
	objects := classics(1000)
	file := filepath.Join(b.temp, "dump.json")
	size, err := writeFile(file, b.dump, `{"apiVersion":"v1","kind":"List","metadata":{},"items":[`+"\n", ",\n", "\n]}\n", objects)
	if err != nil {
		return err
	}
	for _, cores := range []string{"all", "1"} {
		if err := b.convert(jsonDump, cores, file, size); err != nil {
			return err
		}
	}
	if err := os.Remove(file); err != nil { // it may be big
		return err
	}

	documents := make([][]byte, 0, len(objects))
	for _, object := range objects {
		document, err := yaml.JSONToYAML(object)
		if err != nil {
			return err
		}
		documents = append(documents, document)
	}
	file = filepath.Join(b.temp, "dump.yaml")
	if size, err = writeFile(file, b.yaml, "", "---\n", "", documents); err != nil {
		return err
	}
	for range b.bigRounds {
		for _, cores := range []string{"all", "1"} {
			if err := b.convert(yamlDump, cores, file, size); err != nil {
				return err
			}
		}
		if err := b.parseYAML(documents); err != nil {
			return err
		}
	}
	return nil
}

// writeFile repeats objects until a file is about as big as it should be.
func writeFile(name string, size int64, head, between, tail string, objects [][]byte) (written int64, err error) {
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	n, _ := w.WriteString(head) // errors show when all is flushed
	written = int64(n)
	for i := 0; i == 0 || written < size; i++ {
		if i > 0 {
			n, _ = w.WriteString(between)
			written += int64(n)
		}
		n, _ = w.Write(objects[i%len(objects)])
		written += int64(n)
	}
	n, _ = w.WriteString(tail)
	if err := w.Flush(); err != nil {
		return 0, err
	}
	return written + int64(n), file.Close()
}

// convert a file with the command line; the output goes nowhere.
func (b *bench) convert(format, cores, file string, size int64) error {
	var errors bytes.Buffer
	cmd := exec.CommandContext(b, b.binaries[claimbridge], "convert", "--to", "v1alpha3", "-o", format, "-f", file)
	cmd.Env = append(os.Environ(), procs[cores]...)
	cmd.Stdout, cmd.Stderr = io.Discard, &errors
	if nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		defer nowhere.Close()
		cmd.Stdout = nowhere // without a pipe and a copy in this process
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	peak := watchPeak(process(cmd.Process.Pid))
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w\n%.1000s", cmd, err, errors.Bytes())
	}
	wall := time.Since(begun)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	b.results.add(fileName(format, claimbridge, cores), 1, values{
		nsPerOp: float64(wall.Nanoseconds()), mbPerSecond: float64(size) / 1e6 / wall.Seconds(),
		mbPerCPUSecond: float64(size) / 1e6 / cpu.Seconds(), peakBytes: float64(peak()), "file-B": float64(size),
	})
	return nil
}

// watchPeak reads a process's peak of memory until it is gone, and gives the last. The peak that the kernel reports at the
// end will not do: it begins with the memory of the process that started this one.
func watchPeak(p process) (last func() int64) {
	peaks := make(chan int64, 1)
	go func() {
		var last int64
		for {
			peak, err := p.peak()
			if err != nil {
				peaks <- last
				return
			}
			last = peak
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return func() int64 { return <-peaks }
}

// parseYAML parses documents and does nothing else, on one core in this process.
func (b *bench) parseYAML(documents [][]byte) error {
	before, err := own.cpu()
	if err != nil {
		return err
	}
	begun := time.Now()
	size := 0
	for _, document := range documents {
		var fields map[string]any
		if err := yaml.Unmarshal(document, &fields); err != nil {
			return err
		}
		size += len(document)
	}
	wall := time.Since(begun)
	after, err := own.cpu()
	if err != nil {
		return err
	}
	b.results.add(fileName(yamlDump, yamlParse, "1"), 1, values{
		nsPerOp: float64(wall.Nanoseconds()), mbPerSecond: float64(size) / 1e6 / wall.Seconds(),
		mbPerCPUSecond: float64(size) / 1e6 / (after - before).Seconds(),
	})
	return nil
}

func fileName(format, program, cores string) string {
	return fmt.Sprintf("File/format=%s/program=%s/cores=%s", format, program, cores)
}
