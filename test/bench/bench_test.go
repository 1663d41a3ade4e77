package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/bench/claims"
	"github.com/claimbridge/claimbridge/webhook"
)

// BenchmarkHandler is what BenchmarkHandler of the stock webhook is, for claimbridge.
func BenchmarkHandler(b *testing.B) {
	folder := os.Getenv("BENCH_REVIEWS")
	if folder == "" {
		b.Skip("BENCH_REVIEWS names no folder")
	}
	server, err := webhook.New(webhook.Options{Logger: logr.Discard()})
	if err != nil {
		b.Fatal(err)
	}
	handler := server.Converter()
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
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("User-Agent", apiServer)
			answer := &answer{header: http.Header{}}
			begun := processorTime()
			for b.Loop() {
				answer.reset()
				request.Body = io.NopCloser(bytes.NewReader(review))
				request.ContentLength = int64(len(review))
				handler.ServeHTTP(answer, request)
			}
			b.ReportMetric(float64(processorTime()-begun)/float64(b.N), cpuPerOp)
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

// BenchmarkPair converts one object of about 2 KiB between each two versions: claims and templates, with something left
// over and without.
func BenchmarkPair(b *testing.B) {
	versions := conversion.Versions()
	for _, from := range versions {
		for _, to := range versions {
			if from == to {
				continue
			}
			for _, kind := range []string{"claim", "template"} {
				for _, leftovers := range []bool{false, true} {
					object := claims.Sized(2<<10, func(growth int) runtime.Object {
						return claims.Object(from, kind, leftovers, growth)
					})
					b.Run(fmt.Sprintf("from=%s/to=%s/kind=%s/leftovers=%t", from, to, kind, leftovers), func(b *testing.B) {
						b.ReportAllocs()
						b.SetBytes(int64(len(object)))
						begun := processorTime()
						for b.Loop() {
							if _, _, err := conversion.JSON(object, to, conversion.Options{}); err != nil {
								b.Fatal(err)
							}
						}
						took := processorTime() - begun
						b.ReportMetric(float64(took)/float64(b.N), cpuPerOp)
						b.ReportMetric(float64(b.N*len(object))/1e6/took.Seconds(), mbPerCPUSecond)
					})
				}
			}
		}
	}
}
