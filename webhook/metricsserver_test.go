package webhook

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/version"
)

// Package metricsauth tests the authorization, and the suites of installations test it with a real cluster.
func TestExposedMetricsRequireAuthorization(t *testing.T) {
	r := run(t, Options{MetricsBindAddress: "0.0.0.0:0", Kubeconfig: kubeconfigOf(t, "http://127.0.0.1:1")})
	_, port, _ := strings.Cut(r.MetricsAddr().String(), "]")
	url := "https://localhost" + port + "/metrics"
	client := r.client(t, false)
	if got := get(t, client, url); got.Code != http.StatusUnauthorized || strings.Contains(got.Body, "claimbridge_") {
		t.Errorf("without a token: %d %s", got.Code, got.Body)
	}
	if response := get(t, r.client(t, true), url); response.Proto != "HTTP/1.1" {
		t.Errorf("the metrics server speaks %s, whose streams bypass all limits", response.Proto)
	}
	// A request without TLS is rejected.
	if response := get(t, client, "http"+strings.TrimPrefix(url, "https")); response.Code != http.StatusBadRequest {
		t.Errorf("plain HTTP: %d %s", response.Code, response.Body)
	}
}

// kubeconfigOf an API server.
func kubeconfigOf(t *testing.T, server string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "kubeconfig")
	err := os.WriteFile(file,
		[]byte(`{"apiVersion":"v1","kind":"Config","current-context":"a","contexts":[{"name":"a",`+
			`"context":{"cluster":"a"}}],`+
			`"clusters":[{"name":"a","cluster":{"server":"`+server+`"}}]}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestLoopback(t *testing.T) {
	tests := map[string]bool{
		"127.0.0.1": true, "127.9.9.9": true, "::1": true, "localhost": true,
		"":                      false,
		"0.0.0.0":               false,
		"::":                    false,
		"10.0.0.1":              false,
		"metrics.example.com":   false,
		"localhost.example.com": false,
	}
	for host, want := range tests {
		if got := isLoopback(host); got != want {
			t.Errorf("%q: got %v", host, got)
		}
	}
}

// TestLoopbackMetricsNeedNoAuthorization starts without a cluster.
func TestLoopbackMetricsNeedNoAuthorization(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	r := run(t, Options{
		MetricsBindAddress: "localhost:0",
		Version:            version.Info{GitVersion: "v0.2.0", GitCommit: "4d9c1a7", GoVersion: runtime.Version()},
	})
	response := get(t, http.DefaultClient, "http://"+r.MetricsAddr().String()+"/metrics")
	got := response.Body
	build := fmt.Sprintf("\nclaimbridge_build_info{goversion=%q,revision=\"4d9c1a7\",version=\"v0.2.0\"} 1\n",
		runtime.Version())
	if response.Code != http.StatusOK || !strings.Contains(got, build) {
		t.Errorf("%d: %s\nwithout %s", response.Code, got, build)
	}
	if _, err := os.Stat(os.Getenv("KUBECONFIG")); err == nil {
		t.Error("there was a cluster after all")
	}
}
