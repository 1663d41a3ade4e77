package main

import (
	"fmt"
	"strings"
	"testing"
)

// What does not fit into annotations would be lost, so a file is not converted without being asked to.
func TestALeftoverWithoutRoomIsAnErrorUnlessRelaxed(t *testing.T) {
	var config []string
	for i := range 32 {
		config = append(config,
			fmt.Sprintf(`{"opaque":{"driver":"gpu-%d.example.com","parameters":{"a":"%s"}}}`, i,
				strings.Repeat("x", 9000)))
	}
	claim := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"big"},"spec":{"devices":{
		"requests":[{"name":"a","deviceClassName":"x"}],"config":[` + strings.Join(config, ",") + `]}}}`

	out, told, code := claimbridge(t, claim, "convert", "--to", "v1alpha2")
	if code != exitFailed || out != "" {
		t.Errorf("exit code %d, %d bytes written", code, len(out))
	}
	want := "standard input: document 1 (line 1): ResourceClaim big: spec: what v1alpha2 has no field for is more " +
		"than annotations may hold"
	if !strings.HasPrefix(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}

	out, told, code = claimbridge(t, claim, "convert", "--to", "v1alpha2", "--validate=false")
	if code != 0 || !strings.Contains(out, "claimbridge.dev/incomplete: spec") {
		t.Errorf("relaxed: exit code %d, %d bytes written", code, len(out))
	}
	if !strings.Contains(told, "warning: spec: leftovers dropped") {
		t.Errorf("relaxed: told %q", told)
	}

	// The copy cannot be converted up again, since what is missing would be missing for good.
	_, told, code = claimbridge(t, out, "convert", "--to", "v1alpha3")
	if code != exitFailed || !strings.Contains(told, "ResourceClaim big: ") {
		t.Errorf("back: exit code %d, told %q", code, told)
	}
}
