package release

import (
	"strings"
	"testing"
)

func TestTargetOfReleaseIsItsPreferredVersion(t *testing.T) {
	for text, want := range map[string]Target{
		"1.26":          {"v1alpha1", "1.26"},
		"1.27":          {"v1alpha2", "1.27"},
		"1.28":          {"v1alpha2", "1.28"},
		"1.29":          {"v1alpha2", "1.29"},
		"1.30":          {"v1alpha2", "1.30"},
		"1.31":          {"v1alpha3", "1.31"},
		"1.32":          {"v1beta1", "1.32"},
		"1.33":          {"v1beta2", "1.33"},
		"1.34":          {"v1", "1.34"},
		"1.35":          {"v1", "1.35"},
		"1.36":          {"v1", "1.36"},
		"1.37":          {"v1", "1.37"},
		"1.38":          {"v1", "1.38"},
		"v1.36":         {"v1", "1.36"},
		"v1.33.2-eks-1": {"v1beta2", "1.33"},
		"1.36.4":        {"v1", "1.36"},
		"v1.31.1+k3s1":  {"v1alpha3", "1.31"},
		"v1":            {"v1", ""}, "v1alpha3": {"v1alpha3", ""},
	} {
		if got, err := ParseTarget(text); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestUnknownTargetListsKnownOnes(t *testing.T) {
	const versions = "must be one of v1alpha1 (Kubernetes 1.26), v1alpha2 (Kubernetes 1.27 to 1.30), " +
		"v1alpha3 (Kubernetes 1.31 to 1.33), " +
		"v1beta1 (Kubernetes 1.32 to 1.37), v1beta2 (Kubernetes 1.33 to 1.38), v1 (since Kubernetes 1.34)"
	for text, want := range map[string]string{
		"v2":     `unknown version "v2": ` + versions,
		"":       `unknown version "": ` + versions,
		"1.25":   `unknown release "1.25": must be one of the releases from 1.26 to `,
		"v1.199": `unknown release "v1.199": must be one of the `,
		"2.34":   `unknown release "2.34": `,
		"latest": `unknown version "latest": ` + versions,
	} {
		_, err := ParseTarget(text)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), RangeText()) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWhyNotServed(t *testing.T) {
	for _, test := range []struct{ version, release, want string }{
		{"v1", "1.33", "v1 was added in 1.34; Kubernetes 1.33 serves v1alpha3, v1beta1, v1beta2"},
		{
			"v1alpha3",
			"1.34",
			"v1alpha3 was removed in 1.34; Kubernetes 1.34 serves v1 and, if enabled, v1beta1 and v1beta2",
		},
		{"v1alpha2", "1.31", "v1alpha2 was removed in 1.31; Kubernetes 1.31 serves v1alpha3"},
		{"v1beta1", "1.38", "v1beta1 was removed in 1.38; Kubernetes 1.38 serves v1 and, if enabled, v1beta2"},
		{"v1beta1", "1.32", ""},
		{"v2", "1.32", ""},
	} {
		got := WhyNotServed(test.version, test.release)
		if !strings.HasPrefix(got, test.want) || got != "" && test.want == "" {
			t.Errorf("%s in %s: %q, want %q", test.version, test.release, got, test.want)
		}
	}
}
