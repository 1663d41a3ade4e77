package preflight

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestRulesCoverWrites(t *testing.T) {
	status := write{admissionregistrationv1.Update, claims + "/status", "v1alpha2"}
	claim := write{admissionregistrationv1.Update, claims, "v1alpha2"}
	type rule struct { // and what a rule has of our claims where it says nothing
		resource, operation, version, group string
		scope                               admissionregistrationv1.ScopeType
	}
	tests := map[string]struct {
		write write
		rule  rule
		want  bool
	}{
		"by name":                       {claim, rule{}, true},
		"a claim is not its status":     {status, rule{}, false},
		"a status is not its claim":     {claim, rule{resource: claims + "/status"}, false},
		"all resources":                 {claim, rule{resource: "*"}, true},
		"all resources but subresource": {status, rule{resource: "*"}, false},
		"all with all":                  {status, rule{resource: "*/*"}, true},
		"all status":                    {status, rule{resource: "*/status"}, true},
		"all of claims":                 {status, rule{resource: claims + "/*"}, true},
		"a claim is of all of claims":   {claim, rule{resource: claims + "/*"}, true},
		"all operations":                {claim, rule{operation: "*"}, true},
		"another operation":             {claim, rule{operation: "CREATE"}, false},
		"all versions":                  {claim, rule{version: "*"}, true},
		"another version":               {claim, rule{version: "v1alpha3"}, false},
		"all groups":                    {claim, rule{group: "*"}, true},
		"another group":                 {claim, rule{group: "b.example.com"}, false},
		"namespaced":                    {claim, rule{scope: admissionregistrationv1.NamespacedScope}, true},
		"only of clusters":              {claim, rule{scope: admissionregistrationv1.ClusterScope}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := admissionregistrationv1.RuleWithOperations{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.OperationType(cmp.Or(test.rule.operation, "UPDATE"))},
				Rule: admissionregistrationv1.Rule{
					APIGroups: []string{cmp.Or(test.rule.group, "a.example.com")}, APIVersions: []string{cmp.Or(test.rule.version, "v1alpha2")},
					Resources: []string{cmp.Or(test.rule.resource, claims)},
				},
			}
			if test.rule.scope != "" {
				r.Scope = &test.rule.scope
			}
			h := hook{ValidatingWebhook: admissionregistrationv1.ValidatingWebhook{Rules: []admissionregistrationv1.RuleWithOperations{r}}}
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
	if diff := gocmp.Diff([]string{"namespaceSelector", "objectSelector", "matchConditions"}, hook{ValidatingWebhook: webhook}.exempts()); diff != "" {
		t.Error(diff)
	}
}

// The writes that should be judged are those of the manifests.
func TestWritesOfTheManifests(t *testing.T) {
	manifests := must.Get(rendered(config.Options{Group: "claims.example.com", Namespace: "claims", Only: config.WebhooksPart}))(t)
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
