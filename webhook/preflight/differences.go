package preflight

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/config"
)

// rendered manifests of this release.
func rendered(o config.Options) (objects []*unstructured.Unstructured, err error) {
	manifests, err := config.Manifests(o)
	if err != nil {
		return nil, err
	}
	for document := range strings.SplitSeq(string(manifests), "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return nil, fmt.Errorf("read the manifests: %w", err)
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// differences of a live object from what it would be, as fields and what is otherwise there. Metadata and status are of others, and
// what a schema only says to people does not count.
func differences(want, live map[string]any) (all []string) {
	for _, key := range keys(want, live) {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, key) {
			all = append(all, differ(key, want[key], live[key])...)
		}
	}
	return all
}

func differ(field string, want, live any) (all []string) {
	wantFields, isObject := want.(map[string]any)
	liveFields, wasObject := live.(map[string]any)
	if isObject && wasObject {
		for _, key := range keys(wantFields, liveFields) {
			if _, text := wantFields[key].(string); key != "description" || !text {
				all = append(all, differ(field+"."+key, wantFields[key], liveFields[key])...)
			}
		}
		return all
	}
	if wantItems, liveItems := byName(want), byName(live); len(wantItems) > 0 && len(liveItems) > 0 {
		for _, key := range keys(wantItems, liveItems) {
			all = append(all, differ(field+"["+key+"]", wantItems[key], liveItems[key])...)
		}
		return all
	}
	wanted, found := text(want), text(live)
	switch {
	case wanted == found:
		return nil
	case live == nil:
		return []string{field + " is missing"}
	case want == nil:
		return []string{field + " is not of this release"}
	}
	return []string{fmt.Sprintf("%s is %s, not %s", field, found, wanted)}
}

// byName are the items of a list that have names, as versions and webhooks do. Others are compared as a whole.
func byName(value any) map[string]any {
	list, _ := value.([]any)
	named := map[string]any{}
	for _, item := range list {
		fields, _ := item.(map[string]any)
		name, ok := fields["name"].(string)
		if !ok {
			return nil
		}
		named[name] = item
	}
	return named
}

func keys(a, b map[string]any) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// most of a value that is shown.
const most = 200

func text(value any) string {
	encoded, _ := json.Marshal(value) // which was JSON
	if len(encoded) > most {
		return strings.ToValidUTF8(string(encoded[:most]), "") + "..."
	}
	return string(encoded)
}
