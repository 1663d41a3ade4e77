package preflight

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

func TestNotes(t *testing.T) {
	here := []noted{{definitions, "resourceclaims.example.com", "1"}, {definitions, "resourceclaimtemplates.example.com", "2"}}
	of := func(n noted) Object { return n.object("", n.name) }
	service := Object{Kind: "Service", Namespace: "a", Name: "b"}
	problem := func(o Object) Finding {
		return Finding{Severity: Problem, Object: o, What: "is wrong", Remedy: "mend it"}
	}
	warning := Finding{Severity: Warning, Object: of(here[0]), What: "is odd"}
	unknown := Finding{Severity: Unknown, Object: of(here[0]), What: "could not look"}
	first, second := Check{Name: "first-is-well"}, Check{Name: "second-is-well"}
	for name, test := range map[string]struct {
		results []Result
		want    []string
	}{
		"nothing":                               {},
		"warnings and what is unknown are none": {results: []Result{{Check: first, Findings: []Finding{warning, unknown}}}},
		"a problem of an object is noted there, one of something else at the first": {
			[]Result{{Check: first, Findings: []Finding{problem(of(here[1])), problem(service)}}},
			[]string{
				"resourceclaims.example.com.first-is-well: Service a/b: is wrong; remedy: mend it",
				"resourceclaimtemplates.example.com.first-is-well: is wrong; remedy: mend it",
			},
		},
		"several of a check are one, and counted": {
			[]Result{{Check: first, Findings: []Finding{problem(service), warning, problem(of(here[0])), problem(service)}}},
			[]string{"resourceclaims.example.com.first-is-well: Service a/b: is wrong (and 2 more, see claimbridge preflight); remedy: mend it"},
		},
		"several checks are several": {
			[]Result{{Check: first, Findings: []Finding{problem(service)}}, {Check: second, Findings: []Finding{problem(service)}}},
			[]string{
				"resourceclaims.example.com.first-is-well: Service a/b: is wrong; remedy: mend it",
				"resourceclaims.example.com.second-is-well: Service a/b: is wrong; remedy: mend it",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, n := range notes(here, test.results) {
				event := n.event(n.eventName(), metav1.Now())
				got = append(got, event.Name+": "+event.Message)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTextsOfEventsAreBounded(t *testing.T) {
	long := strings.Repeat("ü", 4000)
	object := noted{definitions, "resourceclaims." + strings.Repeat("a.", 110) + "example.com", "1"}
	for name, test := range map[string]struct {
		finding  Finding
		contains []string
		without  string
	}{
		"what is wrong leaves room for the remedy": {Finding{What: long, Remedy: "mend it", Command: "kubectl get"}, []string{"; remedy: mend it: kubectl get"}, "kubectl delete"},
		"a long remedy is cut":                     {Finding{What: "is wrong", Remedy: long, Command: "kubectl get"}, []string{"is wrong", "; remedy: ü", "..."}, "kubectl"},
		"a command is whole or left out":           {Finding{What: "is wrong", Remedy: "mend it", Command: "kubectl " + strings.Repeat("a", 1000)}, []string{"is wrong", "; remedy: mend it"}, "kubectl"},
	} {
		t.Run(name, func(t *testing.T) {
			n := note{object, strings.Repeat("check-", 15) + "x", []Finding{test.finding, test.finding}}
			text := n.text()
			if len(text) > eventBytes || !utf8.ValidString(text) || strings.Contains(text, test.without) {
				t.Errorf("%d bytes: %s", len(text), text)
			}
			for _, part := range append(test.contains, "(and 1 more, see claimbridge preflight)") {
				if !strings.Contains(text, part) {
					t.Errorf("it does not say %s: %s", part, text)
				}
			}
			if wrong := validation.IsDNS1123Subdomain(n.eventName()); len(wrong) > 0 || !strings.HasSuffix(n.eventName(), "."+n.check) {
				t.Errorf("%s: %v", n.eventName(), wrong)
			}
		})
	}
}
