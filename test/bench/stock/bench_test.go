package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			for b.Loop() {
				answer := httptest.NewRecorder()
				handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(review)))
				if answer.Code != http.StatusOK || !bytes.Contains(answer.Body.Bytes(), []byte(`"status":"Success"`)) {
					b.Fatalf("%d: %.300s", answer.Code, answer.Body)
				}
			}
		})
	}
}
