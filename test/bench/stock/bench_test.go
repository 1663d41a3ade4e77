package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkHandler converts each review of the folder BENCH_REVIEWS in process, without network and TLS. The tool in the
// folder above writes the reviews and runs this.
func BenchmarkHandler(b *testing.B) {
	folder := os.Getenv("BENCH_REVIEWS")
	if folder == "" {
		b.Skip("BENCH_REVIEWS names no folder")
	}
	handler, err := newHandler()
	if err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no reviews in %s: %v", folder, err)
	}
	for _, file := range files {
		review, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("review="+strings.TrimSuffix(filepath.Base(file), ".json"), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(review)))
			request := httptest.NewRequest(http.MethodPost, "/convert", http.NoBody)
			answer := &answer{header: http.Header{}}
			begun := processorTime()
			for b.Loop() {
				answer.reset()
				request.Body = io.NopCloser(bytes.NewReader(review))
				request.ContentLength = int64(len(review))
				handler.ServeHTTP(answer, request)
			}
			b.ReportMetric(float64(processorTime()-begun)/float64(b.N), "cpu-ns/op")
			if !bytes.Contains(answer.body, []byte(`"status":"Success"`)) {
				b.Fatalf("%d: %.300s", answer.code, answer.body)
			}
		})
	}
}

// processorTime of this process so far, the collector's included: on a busy machine the clock tells little.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// answer is a response that is used again, so that what is counted is the handler's.
type answer struct {
	header http.Header
	code   int
	body   []byte
}

func (a *answer) Header() http.Header  { return a.header }
func (a *answer) WriteHeader(code int) { a.code = code }

func (a *answer) Write(b []byte) (int, error) {
	a.body = append(a.body, b...)
	return len(b), nil
}

func (a *answer) reset() {
	clear(a.header)
	a.code, a.body = http.StatusOK, a.body[:0]
}
