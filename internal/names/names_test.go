package names

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// The functions have the same results as apimachinery's, including at their limits.
func TestNamesMatchApimachinery(t *testing.T) {
	names := []string{
		"", ".", "-", "a", "a-", "-a", "a-b", "A", "aB", "a.b", "a..b", ".a", "a.", "a.-b", "a-.b", "0", "9",
		"z", "a/b", "/", "a/", "a//b",
	}
	for _, beside := range "/:`{@[_é" {
		names = append(names, "a"+string(beside)+"b")
	}
	for _, n := range []int{62, 63, 64, 252, 253, 254} {
		names = append(names, strings.Repeat("a", n), strings.Repeat("a.", n/2)+strings.Repeat("a", n%2),
			strings.Repeat("a/", n/2)+strings.Repeat("a", n%2),
			strings.Repeat("a.", n/2-1)+"aa"+strings.Repeat("a",
				n%2), strings.Repeat("a/", n/2-1)+"aa"+strings.Repeat("a", n%2))
	}
	for _, name := range names {
		if got, want := IsLabel(name), len(validation.IsDNS1123Label(name)) == 0; got != want {
			t.Errorf("label %.80q: %v", name, got)
		}
		subdomain := func(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }
		if got, want := IsSubdomain(name), subdomain(name); got != want {
			t.Errorf("subdomain %.80q: %v", name, got)
		}
		if got, want := IsDriver(name), len(name) <= 63 && subdomain(strings.ToLower(name)); got != want {
			t.Errorf("driver %.80q: %v", name, got)
		}
		if len(SubdomainProblems(name)) == 0 != IsSubdomain(name) || len(LabelProblems(name)) == 0 != IsLabel(name) {
			t.Errorf("%.80q: the messages differ from the result", name)
		}
	}
}
