package preflight

import (
	"cmp"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
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
				Operations: []admissionregistrationv1.OperationType{
					admissionregistrationv1.OperationType(cmp.Or(test.rule.operation, "UPDATE")),
				},
				Rule: admissionregistrationv1.Rule{
					APIGroups:   []string{cmp.Or(test.rule.group, "a.example.com")},
					APIVersions: []string{cmp.Or(test.rule.version, "v1alpha2")},
					Resources:   []string{cmp.Or(test.rule.resource, claims)},
				},
			}
			if test.rule.scope != "" {
				r.Scope = &test.rule.scope
			}
			h := hook{
				ValidatingWebhook: admissionregistrationv1.ValidatingWebhook{
					Rules: []admissionregistrationv1.RuleWithOperations{r},
				},
			}
			if got := h.covers(test.write, "a.example.com"); got != test.want {
				t.Errorf("covered: %t", got)
			}
		})
	}
}
