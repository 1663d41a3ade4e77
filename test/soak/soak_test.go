//go:build e2e

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/claimbridge/claimbridge/test/soak/attack"
)

// TestSoakForSomeSeconds is `make soak` in short.
func TestSoakForSomeSeconds(t *testing.T) {
	r, err := started(t).soak(t.Context(), 5*time.Second, 20, attack.Mix(true))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", r)
	if err := r.problem(); err != nil {
		t.Error(err)
	}
}

func TestTheMemoryIsThatOfTheManifests(t *testing.T) {
	deployment, err := os.ReadFile("../../config/manager/deployment.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("limits:\n            memory: %dMi\n", memoryLimit>>20); !strings.Contains(string(deployment), want) {
		t.Errorf("the deployment has no %q", want)
	}
}
