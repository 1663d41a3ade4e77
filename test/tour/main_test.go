//go:build e2e

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestTour(t *testing.T) {
	t.Chdir("../..")
	var out bytes.Buffer
	must.Do(t, tour(&out))
	for _, part := range []string{
		"apiVersion: resource.k8s.io/v1\n", "kind: ResourceHandle", "claimbridgeLeftover: v1:nothing",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the tour does not show %q:\n%s", part, out.String())
		}
	}
	if strings.Count(out.String(), "apiVersion: resource.k8s.io/v1alpha1") != 2 {
		t.Errorf("the claim is not shown before and after:\n%s", out.String())
	}
}
