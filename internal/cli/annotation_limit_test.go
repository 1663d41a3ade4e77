package cli

import (
	"fmt"
	"strings"
	"testing"
)

// TestDataThatExceedsAnnotationsIsAnError checks that a claim is not converted if annotations have no room for data
// that the version has no field for, except with --validate=false.
func TestDataThatExceedsAnnotationsIsAnError(t *testing.T) {
	var config []string
	for i := range 32 {
		config = append(config,
			fmt.Sprintf(`{"opaque":{"driver":"gpu-%d.example.com","parameters":{"a":"%s"}}}`, i,
				strings.Repeat("x", 9000)))
	}
	claim := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"big"},"spec":{"devices":{
		"requests":[{"name":"a","deviceClassName":"x"}],"config":[` + strings.Join(config, ",") + `]}}}`

	out, messages, code := claimbridge(t, claim, "convert", "--to", "v1alpha2")
	if code != exitFailed || out != "" {
		t.Errorf("exit code %d, %d bytes written", code, len(out))
	}
	want := "standard input: document 1 (line 1): ResourceClaim big: spec: data without a field in v1alpha2 exceeds " +
		"the limit of annotations (256 KiB)"
	if !strings.HasPrefix(messages, want) {
		t.Errorf("printed %q, want %q", messages, want)
	}

	out, messages, code = claimbridge(t, claim, "convert", "--to", "v1alpha2", "--validate=false")
	if code != 0 || !strings.Contains(out, "claimbridge.dev/incomplete: spec") {
		t.Errorf("with --validate=false: exit code %d, %d bytes written", code, len(out))
	}
	if !strings.Contains(messages, "warning: spec: preserved data dropped") {
		t.Errorf("with --validate=false: printed %q", messages)
	}

	// The incomplete copy cannot be converted to v1alpha3, because the result would lack the lost data permanently.
	_, messages, code = claimbridge(t, out, "convert", "--to", "v1alpha3")
	if code != exitFailed || !strings.Contains(messages, "ResourceClaim big: ") {
		t.Errorf("back: exit code %d, messages %q", code, messages)
	}
}
