package preflight

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/claimbridge/claimbridge/config"
)

func TestRulesCoverWrites(t *testing.T) {
	status := write{admissionregistrationv1.Update, claims + "/status", "v1alpha2"}
	claim := write{admissionregistrationv1.Update, claims, "v1alpha2"}
	rule := func(change func(*admissionregistrationv1.RuleWithOperations)) admissionregistrationv1.RuleWithOperations {
		r := admissionregistrationv1.RuleWithOperations{
			Operations: []admissionregistrationv1.OperationType{"CREATE", "UPDATE"},
			Rule:       admissionregistrationv1.Rule{APIGroups: []string{"a.example.com"}, APIVersions: []string{"v1alpha2"}, Resources: []string{claims}},
		}
		if change != nil {
			change(&r)
		}
		return r
	}
	tests := map[string]struct {
		write write
		rule  admissionregistrationv1.RuleWithOperations
		want  bool
	}{
		"by name":                       {claim, rule(nil), true},
		"a claim is not its status":     {status, rule(nil), false},
		"a status is not its claim":     {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.Resources = []string{claims + "/status"} }), false},
		"all resources":                 {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.Resources = []string{"*"} }), true},
		"all resources but subresource": {status, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.Resources = []string{"*"} }), false},
		"all with all":                  {status, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.Resources = []string{"*/*"} }), true},
		"all status":                    {status, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.Resources = []string{"*/status"} }), true},
		"all of claims":                 {status, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.Resources = []string{claims + "/*"} }), true},
		"a claim is of all of claims":   {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.Resources = []string{claims + "/*"} }), true},
		"all operations": {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) {
			r.Operations = []admissionregistrationv1.OperationType{admissionregistrationv1.OperationAll}
		}), true},
		"another operation": {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) {
			r.Operations = []admissionregistrationv1.OperationType{"CREATE"}
		}), false},
		"all versions":    {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.APIVersions = []string{"*"} }), true},
		"another version": {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.APIVersions = []string{"v1alpha3"} }), false},
		"all groups":      {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.APIGroups = []string{"*"} }), true},
		"another group":   {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) { r.APIGroups = []string{"b.example.com"} }), false},
		"namespaced": {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) {
			r.Scope = ptr.To(admissionregistrationv1.NamespacedScope)
		}), true},
		"only of clusters": {claim, rule(func(r *admissionregistrationv1.RuleWithOperations) {
			r.Scope = ptr.To(admissionregistrationv1.ClusterScope)
		}), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := hook{ValidatingWebhook: admissionregistrationv1.ValidatingWebhook{Rules: []admissionregistrationv1.RuleWithOperations{test.rule}}}
			if got := h.covers(test.write, "a.example.com"); got != test.want {
				t.Errorf("covered: %t", got)
			}
		})
	}
}

func TestExempts(t *testing.T) {
	some := &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}}
	condition := []admissionregistrationv1.MatchCondition{{Name: "a", Expression: "true"}}
	webhook := admissionregistrationv1.ValidatingWebhook{ObjectSelector: &metav1.LabelSelector{}}
	if got := (hook{ValidatingWebhook: webhook}).exempts(); got != nil { // an API server fills in empty selectors
		t.Errorf("nothing exempts, but %v does", got)
	}
	webhook = admissionregistrationv1.ValidatingWebhook{NamespaceSelector: some, ObjectSelector: some, MatchConditions: condition}
	if diff := cmp.Diff([]string{"namespaceSelector", "objectSelector", "matchConditions"}, hook{ValidatingWebhook: webhook}.exempts()); diff != "" {
		t.Error(diff)
	}
}

// The writes that should be judged are those of the manifests.
func TestWritesOfTheManifests(t *testing.T) {
	manifests, err := rendered(config.Options{Group: "claims.example.com", Namespace: "claims", Only: config.WebhooksPart})
	if err != nil {
		t.Fatal(err)
	}
	judged := writesOf(manifests, validatingConfigurations)
	for _, version := range versions {
		for _, w := range []write{
			{admissionregistrationv1.Create, claims, version}, {admissionregistrationv1.Update, claims, version},
			{admissionregistrationv1.Update, claims + "/status", version},
			{admissionregistrationv1.Create, templates, version}, {admissionregistrationv1.Update, templates, version},
		} {
			if !slices.Contains(judged, w) {
				t.Errorf("nobody judges %v", w)
			}
		}
	}
	if len(writesOf(manifests, mutatingConfigurations)) == 0 {
		t.Error("nobody fills in defaults")
	}
	if _, err := rendered(config.Options{Group: "no domain", Namespace: "claims"}); err == nil {
		t.Error("a group that cannot be has manifests")
	}
}
