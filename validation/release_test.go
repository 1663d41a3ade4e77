package validation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/api"
)

func TestReleasesOfAVersionHaveRules(t *testing.T) {
	for version, want := range map[string][]string{
		"v1alpha1": {"1.26"}, "v1alpha2": {"1.30"}, "v1alpha3": {"1.31", "1.32", "1.33"},
	} {
		if diff := cmp.Diff(want, Releases(version)); diff != "" {
			t.Errorf("releases of %s (-want +got):\n%s", version, diff)
		}
	}
	if row, _ := api.Find("v1"); !slices.Equal(Releases("v1"), row.ServingReleases()) {
		t.Errorf("there are no rules of all that serve v1, only of %q", Releases("v1"))
	}
	if Releases("v2") != nil {
		t.Error("there are releases of a version that is not known")
	}
}

// TestEveryReleaseCompilesExpressions: a new release needs an environment for expressions, in package cel.
func TestEveryReleaseCompilesExpressions(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaim","metadata":{"name":"a"},` +
		`"spec":{"devices":{"requests":[%s]}}}`
	asks := map[bool]string{
		false: `{"name":"r","deviceClassName":"c","selectors":[{"cel":{"expression":"device.driver == 'a'"}}]}`,
		true: `{"name":"r","exactly":{"deviceClassName":"c","selectors":[{"cel":{"expression":"device.driver == ` +
			`'a'"}}]}}`,
	}
	for _, v := range api.Versions() {
		for _, release := range Releases(v.Name) {
			if !v.Devices {
				continue
			}
			object := fmt.Appendf(nil, claim, v.Name, asks[v.Exactly])
			result, err := Validate(t.Context(), Request{Operation: Create, Object: object, Release: release})
			if err != nil || len(result.Errors) > 0 {
				t.Errorf("%s by %s: %v, %v", v.Name, release, err, result.Errors)
			}
		}
	}
}

// TestTheReleaseOfTheRequestIsUsed: validation uses its rules. TestResultsMatchUpstream compares with the releases.
func TestTheReleaseOfTheRequestIsUsed(t *testing.T) {
	const claim = `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
		`"spec":{"devices":{` +
		`"requests":[{"name":"gpu","exactly":{"deviceClassName":"a.example.com"}}],` +
		`"constraints":[{"matchAttribute":"a.example.com/b/c"}]}}}`
	for _, release := range Releases("v1") {
		want := []string{}
		if releaseOf(release) >= releaseOf("1.38") {
			want = []string{"constraint-attribute-is-qualified: Invalid spec.devices.constraints[0].matchAttribute"}
		}
		result, err := Validate(t.Context(), Request{Operation: Create, Object: []byte(claim), Release: release})
		if diff := cmp.Diff(want, formatErrors(result.Errors)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", release, err, diff)
		}
	}
}

// TestNewerLimitsDoNotApplyToOlderVersions: limits that came with 1.32 or later do not apply to writes in older
// versions.
func TestNewerLimitsDoNotApplyToOlderVersions(t *testing.T) {
	const (
		claim = `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"gpu"},` +
			`"spec":{"devices":{"requests":[` +
			`{"name":"gpu","deviceClassName":"a.example.com"}]%s}},"status":{%s}}`
		config = `{"opaque":{"driver":"a.example.com","parameters":{"a":%q}}}`
		result = `{"request":"gpu","driver":"a.example.com","pool":"a","device":"a"}`
	)
	consumers := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"resource":"pods","name":"a","uid":"%d"}`, i)
		}
		return `"reservedFor":[` + strings.Join(list, ",") + `],"allocation":{"devices":{"results":[` + result + `]}}`
	}
	large := fmt.Sprintf(config, strings.Repeat("a", 20<<10))
	for name, test := range map[string]struct {
		operation     Operation
		old, new      string
		rule, problem string
	}{
		"large parameters in a spec": {operation: Create, new: fmt.Sprintf(claim, `,"config":[`+large+`]`, "")},
		"large parameters of an allocation": {
			operation: UpdateStatus, old: fmt.Sprintf(claim, "", ""),
			new: fmt.Sprintf(claim, "",
				`"allocation":{"devices":{"results":[`+result+`],"config":[`+strings.Replace(large, "{",
					`{"source":"FromClass",`, 1)+`]}}`),
		},
		"a costly expression": {operation: Create, new: strings.Replace(fmt.Sprintf(claim, "", ""), `"deviceClassName"`,
			`"selectors":[{"cel":{"expression":`+
				`"device.attributes[\"a\"].exists(a, device.attributes[\"b\"].exists(b, `+
				`device.attributes[\"c\"].exists(c, device.attributes[\"d\"].exists(d, a + b + c == d))))"`+
				`}}],"deviceClassName"`, 1)},
		"a host that is no label": {
			operation: UpdateStatus, old: fmt.Sprintf(claim, "", ""),
			new: fmt.Sprintf(claim, "",
				`"allocation":{"nodeSelector":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In",`+
					`"values":["a b"]}]}]}}`),
		},
		"the 33rd entry": {
			operation: Create,
			new: fmt.Sprintf(claim,
				`,"config":[`+strings.Repeat(fmt.Sprintf(config, "a")+",", 31)+fmt.Sprintf(config,
					"a")+`]},"controller":"a.example.com","x":{`,
				""),
			rule: "stored-content-is-valid", problem: "config-at-most-32",
		},
		"33 consumers": {
			operation: UpdateStatus,
			old:       fmt.Sprintf(claim, "", consumers(33)),
			new:       fmt.Sprintf(claim, "", consumers(33)),
			rule:      "reservations-at-most-32",
		},
		"32 consumers of 33": {
			operation: UpdateStatus,
			old:       fmt.Sprintf(claim, "", consumers(33)),
			new:       fmt.Sprintf(claim, "", consumers(32)),
		},
		"100 consumers before": {
			operation: Update,
			old:       fmt.Sprintf(claim, "", consumers(100)),
			new:       fmt.Sprintf(claim, "", consumers(100)),
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := Request{Operation: test.operation, Object: []byte(test.new)}
			if test.old != "" {
				r.OldObject = []byte(test.old)
			}
			result, err := Validate(t.Context(), r)
			switch {
			case err != nil:
				t.Fatal(err)
			case test.rule == "" && len(result.Errors) > 0:
				t.Error(result.Errors[0].Rule, result.Errors[0].Error)
			case test.rule != "" && (len(result.Errors) != 1 || result.Errors[0].Rule != test.rule ||
				!strings.Contains(result.Errors[0].Detail, test.problem)):
				t.Errorf("want %s %s, got %v", test.rule, test.problem, result.Errors)
			}
		})
	}
}

// TestSinceAndUntilSelectReleases applies to Kubernetes' rules and to claimbridge's own.
func TestSinceAndUntilSelectReleases(t *testing.T) {
	all := byRelease([]Rule{
		{Name: "since 1.33", Since: release1_33},
		{Name: "until 1.31", Until: release1_31},
		{Name: "in 1.31", Since: release1_33, coversLaterFields: true},
	})
	for release, want := range map[Release][]string{
		release1_31: {"until 1.31", "in 1.31"},
		release1_32: nil,
		release1_33: {"since 1.33", "in 1.31"},
	} {
		var names []string
		for _, r := range all[release] {
			names = append(names, r.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s has %q, want %q", release, names, want)
		}
	}
}
