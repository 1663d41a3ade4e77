package test

import (
	"regexp"
	"testing"
)

var kubernetes = regexp.MustCompile(`(?m)^\s*k8s\.io/kubernetes (v\S+)`)

// Kubernetes' check of a resource asks what its own release answers: it must be that of the API servers that are checked.
func TestTheConformanceCheckIsOfTheControlPlanesRelease(t *testing.T) {
	const plane, check = "controlplane/kubernetes/go.mod", "conformance/program/go.mod"
	pins := map[string]string{}
	for _, file := range []string{plane, check} {
		m := kubernetes.FindStringSubmatch(read(t, file))
		if m == nil {
			t.Fatalf("%s does not say which Kubernetes it is of", file)
		}
		pins[file] = m[1]
	}
	if pins[plane] != pins[check] {
		t.Errorf("want the Kubernetes of test/%s in test/%s, %s, got %s", plane, check, pins[plane], pins[check])
	}
}
