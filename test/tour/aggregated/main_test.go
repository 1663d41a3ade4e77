//go:build e2e

package main

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/claimbridge/claimbridge/test/controlplane"
)

func TestMain(m *testing.M) {
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

func TestTour(t *testing.T) {
	var out bytes.Buffer
	if err := tour(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	for _, part := range []string{
		`It serves resource.k8s.io in v1, and prefers v1\.`, `the server could not find the requested resource`,
		`It serves resource.k8s.io in v1, v1beta2, v1beta1, and prefers v1\.`,
		`(?s)apiVersion: resource.k8s.io/v1beta1.*apiVersion: resource.k8s.io/v1\n.*exactly:`,
		`v1 has the labels map\[team:vision\]`,
		`(?s)ADDED +resource.k8s.io/v1beta1 training.*MODIFIED resource.k8s.io/v1beta1 training, labels map\[team:vision\].*allocated true`,
	} {
		if !regexp.MustCompile(part).Match(out.Bytes()) {
			t.Errorf("the tour does not show %s:\n%s", part, out.Bytes())
		}
	}
}
