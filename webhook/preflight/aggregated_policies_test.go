package preflight

import (
	"encoding/json"
	"testing"
)

func TestWhatLooksAtTheExtrasOfWhoAsks(t *testing.T) {
	tests := map[string]struct {
		resources, expression string
		want                  bool
	}{
		"a condition":                   {`"resourceslices"`, `request.userInfo.?extra[?'authentication.kubernetes.io/node-name'].hasValue()`, true},
		"without optional members":      {`"*"`, `request.userInfo.extra['authentication.kubernetes.io/node-name'][0] == object.spec.nodeName`, true},
		"by an index":                   {`"*/*"`, `'a' in request.userInfo["extra"]`, true},
		"by an optional index":          {`"resourceclaims/status"`, `request.?userInfo[?'extra'].hasValue()`, true},
		"of deviceclasses":              {`"pods","deviceclasses"`, `has(request.userInfo.extra)`, true},
		"of other resources":            {`"devicetaintrules"`, `has(request.userInfo.extra)`, false},
		"the name of a user":            {`"resourceslices"`, `request.userInfo.username == 'extra'`, false},
		"another member that has extra": {`"resourceslices"`, `object.metadata.labels.extra == 'a'`, false},
		"a longer name":                 {`"resourceslices"`, `request.userInfo.username == object.spec.extraordinary`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			said, _ := json.Marshal(test.expression)
			for kind, spec := range map[string]string{
				"condition":  `"matchConditions":[{"name":"c","expression":` + string(said) + `}]`,
				"validation": `"validations":[{"expression":"true","messageExpression":` + string(said) + `}]`,
				"mutation":   `"mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":` + string(said) + `}}]`,
			} {
				spec = `{"matchConstraints":{"resourceRules":[{"apiGroups":["resource.k8s.io"],"apiVersions":["v1"],"operations":["*"],"resources":[` + test.resources + `]}]},` + spec + `}`
				v := &view{options: Options{Group: "resource.k8s.io"}}
				if got := v.rulesOver([]byte(spec)) && looksAtExtras([]byte(spec)); got != test.want {
					t.Errorf("%s: got %t", kind, got)
				}
			}
		})
	}
	v := &view{options: Options{Group: "resource.k8s.io"}}
	if v.rulesOver([]byte(`{"matchConstraints":{"resourceRules":[{"apiGroups":["apps"],"resources":["*"]}]}}`)) || v.rulesOver([]byte(`{}`)) {
		t.Error("it rules over other groups")
	}
	const byVariables = `{"variables":[{"name":"user","expression":"request.userInfo"}],"validations":[{"expression":"variables.user.extra.size() > 0"}]}`
	if !looksAtExtras([]byte(byVariables)) {
		t.Error("extras of a variable are not seen")
	}
}
