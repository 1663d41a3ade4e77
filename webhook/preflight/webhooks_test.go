package preflight

import (
	"cmp"
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

func TestRulesCoverWrites(t *testing.T) {
	const status = claims + "/status"
	type fields struct { // of a rule, which names updates of claims in v1alpha2 unless it says otherwise
		resource, operation, version, group string
		scope                               admissionregistrationv1.ScopeType
	}
	for name, test := range map[string]struct {
		resource string
		rule     fields
		want     bool
	}{
		"by name":                       {claims, fields{}, true},
		"a claim is not its status":     {status, fields{}, false},
		"a status is not its claim":     {claims, fields{resource: status}, false},
		"all resources":                 {claims, fields{resource: "*"}, true},
		"all resources but subresource": {status, fields{resource: "*"}, false},
		"all with all":                  {status, fields{resource: "*/*"}, true},
		"all status":                    {status, fields{resource: "*/status"}, true},
		"all of claims":                 {status, fields{resource: claims + "/*"}, true},
		"a claim is of all of claims":   {claims, fields{resource: claims + "/*"}, true},
		"all operations":                {claims, fields{operation: "*"}, true},
		"another operation":             {claims, fields{operation: "CREATE"}, false},
		"all versions":                  {claims, fields{version: "*"}, true},
		"another version":               {claims, fields{version: "v1alpha3"}, false},
		"all groups":                    {claims, fields{group: "*"}, true},
		"another group":                 {claims, fields{group: "b.example.com"}, false},
		"namespaced":                    {claims, fields{scope: admissionregistrationv1.NamespacedScope}, true},
		"only of clusters":              {claims, fields{scope: admissionregistrationv1.ClusterScope}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := rule{
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
			if got := covers(r, "a.example.com", "v1alpha2", test.resource, admissionregistrationv1.Update); got != test.want {
				t.Errorf("covered: %t", got)
			}
		})
	}
}
