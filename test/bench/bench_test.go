package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
			for b.Loop() {
				answer := httptest.NewRecorder()
				request := httptest.NewRequest(http.MethodPost, "/convert", bytes.NewReader(review))
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("User-Agent", apiServer)
				handler.ServeHTTP(answer, request)
				if answer.Code != http.StatusOK || !bytes.Contains(answer.Body.Bytes(), []byte(`"status":"Success"`)) {
					b.Fatalf("%d: %.300s", answer.Code, answer.Body)
				}
			}
		})
	}
}

// BenchmarkPair converts one object of about 2 KiB between each two versions: claims and templates, with something left
// over and without.
func BenchmarkPair(b *testing.B) {
	versions := []string{"v1alpha1", "v1alpha2", "v1alpha3"}
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
						for b.Loop() {
							if _, _, err := conversion.JSON(object, to, conversion.Options{}); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}
