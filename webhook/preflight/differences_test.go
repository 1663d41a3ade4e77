package preflight

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

func TestDifferences(t *testing.T) {
	const want = `{spec: {scope: Namespaced, versions: [{name: v1, schema: {description: ours, properties: {description: {type: string}}, required: [a]}}, {name: v2}]}}`
	for name, test := range map[string]struct {
		live string
		want []string
	}{
		"none":                   {live: want},
		"what others own":        {live: `{metadata: {labels: {team: a}}, status: {a: b}, ` + want[1:]},
		"what people read":       {live: `{spec: {scope: Namespaced, versions: [{name: v1, schema: {description: theirs, properties: {description: {type: string}}, required: [a]}}, {name: v2}]}}`},
		"a field of that name":   {`{spec: {scope: Namespaced, versions: [{name: v1, schema: {properties: {}, required: [a]}}, {name: v2}]}}`, []string{"spec.versions[v1].schema.properties.description is missing"}},
		"a value, and one more":  {`{spec: {scope: Cluster, more: 1, versions: [{name: v1, schema: {properties: {description: {type: string}}, required: [a]}}, {name: v2}]}}`, []string{"spec.more is not of this release", `spec.scope is "Cluster", not "Namespaced"`}},
		"an item, and one more":  {`{spec: {scope: Namespaced, versions: [{name: v1, schema: {properties: {description: {type: string}}, required: [a]}}, {name: v3}]}}`, []string{"spec.versions[v2] is missing", "spec.versions[v3] is not of this release"}},
		"a list without names":   {`{spec: {scope: Namespaced, versions: [{name: v1, schema: {properties: {description: {type: string}}, required: [b]}}, {name: v2}]}}`, []string{`spec.versions[v1].schema.required is ["b"], not ["a"]`}},
		"a list of another kind": {`{spec: {scope: Namespaced, versions: []}}`, []string{"spec.versions is [], not " + text(object(t, want)["spec"].(map[string]any)["versions"])}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, differences(object(t, want), object(t, test.live))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func object(t *testing.T, text string) (fields map[string]any) {
	t.Helper()
	must.Do(t, yaml.Unmarshal([]byte(text), &fields))
	return fields
}
