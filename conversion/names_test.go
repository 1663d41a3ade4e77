package conversion

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Names are judged as apimachinery judges them, at the edge of every rule.
func TestNamesAreThoseOfKubernetes(t *testing.T) {
	names := []string{"", ".", "-", "a", "a-", "-a", "a-b", "A", "aB", "a.b", "a..b", ".a", "a.", "a.-b", "a-.b", "0", "9", "z", "a/b", "/", "a/", "a//b"}
	for _, beside := range "/:`{@[_é" {
		names = append(names, "a"+string(beside)+"b")
	}
	for _, n := range []int{62, 63, 64, 252, 253, 254} {
		names = append(names, strings.Repeat("a", n), strings.Repeat("a.", n/2)+strings.Repeat("a", n%2), strings.Repeat("a/", n/2)+strings.Repeat("a", n%2),
			strings.Repeat("a.", n/2-1)+"aa"+strings.Repeat("a", n%2), strings.Repeat("a/", n/2-1)+"aa"+strings.Repeat("a", n%2))
	}
	for _, name := range names {
		if got, want := isLabel(name), len(validation.IsDNS1123Label(name)) == 0; got != want {
			t.Errorf("label %.80q: %v", name, got)
		}
		subdomain := func(name string) bool { return len(validation.IsDNS1123Subdomain(name)) == 0 }
		if got, want := isSubdomain(name), subdomain(name); got != want {
			t.Errorf("subdomain %.80q: %v", name, got)
		}
		if got, want := isDriver(name), len(name) <= 63 && subdomain(strings.ToLower(name)); got != want {
			t.Errorf("driver %.80q: %v", name, got)
		}
		pool := len(name) <= 253
		for _, segment := range strings.Split(name, "/") {
			pool = pool && subdomain(segment)
		}
		if got := isPool(name); got != pool {
			t.Errorf("pool %.80q: %v", name, got)
		}
	}
	for device, want := range map[string]bool{
		"handle-0": true, "handle-31": true, "handle-65535": true, "handle-65536": false, "handle-": false, "handle-a": false, "handle--1": false,
		"handle-0-1": false, "other--0": false, "": false, "none": false,
	} {
		if got := isHandleDevice(device); got != want {
			t.Errorf("device %q: %v", device, got)
		}
	}
	for value, want := range map[string]bool{`{}`: true, " \t\r\n" + "{}": true, `[]`: false, `"{"`: false, ``: false, `null`: false} {
		if got := isObject([]byte(value)); got != want {
			t.Errorf("value %q: %v", value, got)
		}
	}
}
