package preflight

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/claimbridge/claimbridge/config"
)

// A check is found by its name, and says what people need to know.
func TestChecks(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	seen := map[string]bool{}
	for _, c := range Checks {
		if !kebab.MatchString(c.Name) || seen[c.Name] {
			t.Errorf("%q is not the name of one check", c.Name)
		}
		seen[c.Name] = true
		if !strings.HasSuffix(c.Reason, ".") || strings.Contains(c.Reason, "|") {
			t.Errorf("%s: %q is not a sentence for a table", c.Name, c.Reason)
		}
	}
}

// What explains a check is made before it, or it would not be known.
func TestChecksComeAfterWhatExplainsThem(t *testing.T) {
	for i, c := range Checks {
		for _, before := range c.after {
			if j := slices.Index(Checks, before); j < 0 || j >= i {
				t.Errorf("%s is not made after %s", c.Name, before.Name)
			}
		}
		if (c.find == nil) == (c.try == nil) || len(c.reads) == 0 {
			t.Errorf("%s finds by one function what it reads", c.Name)
		}
	}
}

// A problem is told once: what it explains is not made, nor what comes after that. A warning
// explains nothing, nor does a check that was skipped.
func TestAProblemExplainsWhatComesAfter(t *testing.T) {
	first, warns := &Check{Name: "first"}, &Check{Name: "warns", Warns: true}
	find := func(_ *state, r *report) { r.problem(Object{Kind: "Service"}, "is wrong", say("mend it")) }
	first.find, warns.find = find, find
	second := &Check{Name: "second", after: []*Check{first}, find: find}
	third := &Check{Name: "third", after: []*Check{second, warns}, find: find}
	for name, test := range map[string]struct {
		made []*Check
		want string
	}{
		"one after the other": {
			[]*Check{first, warns, second, third},
			"problem, warning, after first, after first",
		},
		"the first is left out":    {[]*Check{warns, second, third}, "warning, problem, after second"},
		"what warns explains none": {[]*Check{warns, third}, "warning, problem"},
	} {
		t.Run(name, func(t *testing.T) {
			var results []Result
			var got []string
			for _, c := range test.made {
				r := c.make(t.Context(), nil, &state{}, results)
				results = append(results, r)
				if r.Follows != "" {
					got = append(got, "after "+r.Follows)
				} else {
					got = append(got, r.State())
				}
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("want %s, got %s", test.want, text)
			}
		})
	}
}

// Who could not be read is no finding of a check that does not need it, and keeps the others from
// saying that all is well.
func TestWhatCouldNotBeReadIsUnknown(t *testing.T) {
	s := &state{unread: []unread{{secrets, Finding{Severity: Unknown, What: "could not look"}}}}
	for _, c := range []*Check{certificateSecretIsFilled, definitionsAreOurs} {
		want := map[bool]string{true: "unknown", false: "ok"}[slices.Contains(c.reads, secrets)]
		if got := c.make(t.Context(), nil, s, nil).State(); got != want {
			t.Errorf("%s is %s, want %s", c.Name, got, want)
		}
	}
}

// The manifests for cert-manager are applied only in part where it is missing, so it is looked for
// before they are applied.
func TestCertManagerIsLookedForBeforeAnInstallation(t *testing.T) {
	var certManager apiService
	certManager.Spec.Group = "cert-manager.io"
	at := types.NamespacedName{Namespace: config.DefaultNamespace, Name: name}
	installed := map[types.NamespacedName]*corev1.Service{at: {}}
	for name, test := range map[string]struct {
		certificates config.Certificates
		apiServices  []apiService
		services     map[types.NamespacedName]*corev1.Service
		want         string
	}{
		"nothing is installed":                     {want: "problem"},
		"nothing is installed, cert-manager is":    {apiServices: []apiService{certManager}, want: "ok"},
		"cert-manager is planned":                  {certificates: config.CertManager, want: "problem"},
		"the server's own are planned":             {certificates: config.Self, want: "ok"},
		"files are planned":                        {certificates: config.Files, want: "ok"},
		"an installation":                          {services: installed, want: "ok"},
		"an installation that is to change its CA": {config.CertManager, nil, installed, "problem"},
	} {
		options := Options{Namespace: config.DefaultNamespace, Certificates: test.certificates}
		s := &state{Options: options, apiServices: test.apiServices, services: test.services}
		if got := certManagerIsInstalled.make(t.Context(), nil, s, nil).State(); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
	if !slices.Contains(Checks, certManagerIsInstalled) {
		t.Error("the check is not made")
	}
}
