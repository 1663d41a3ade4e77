//go:build e2e

package cluster

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// TestVerbsMatchSingleVersion runs every verb of the API, for both kinds and in every version. The response is the same
// as that of an API server with only this version and no conversion: status, object, managed fields, error. If managers
// use three versions to write one claim, each owns the same fields as if all used one version.
func TestVerbsMatchSingleVersion(t *testing.T) {
	managerVersions := map[string]string{
		"creator": "v1alpha2", "platform": "v1alpha1", "driver": "v1alpha1", "scheduler": "v1alpha3",
		"labeller": "v1alpha2",
	}
	for j, version := range versions {
		singleVersion := controlPlaneForVersion(t, version)
		for i, kind := range []string{claimKind, templateKind} {
			p := planes[(i+j)%len(planes)]
			t.Run(p.name+"/"+version+" "+kind, func(t *testing.T) {
				t.Parallel()
				for _, session := range must.Get(txtar.ParseFile(filepath.Join("testdata", "verbs.txtar")))(t).Files {
					if only, _, isForOneKind := strings.Cut(session.Name, " only: "); isForOneKind && only != kind {
						continue
					}
					t.Run(session.Name, func(t *testing.T) {
						converted := newVerbs(p.space(t), kind)
						reference := newVerbs(singleVersion.space(t), kind)
						mixedVersions := newVerbs(p.space(t), kind)
						for line := range strings.Lines(string(session.Data)) {
							got, want := converted.run(t, version, line), reference.run(t, version, line)
							equal(t, line, got, want)
							m := managerOf.FindStringSubmatch(line)
							if m != nil && strings.HasSuffix(session.Name, "field managers") {
								equal(t, line+": managed fields of managers that use three versions",
									managedFieldsIn(mixedVersions.run(t, managerVersions[m[1]], line), managerVersions, version),
									managedFieldsIn(want, managerVersions, version))
							}
						}
					})
				}
			})
		}
	}
}

// verbs sends requests for one kind in a namespace, and normalizes the responses.
type verbs struct {
	space
	kind string
	// symbols are placeholders of resource versions. continueToken is that of the last list.
	symbols       map[string]string
	continueToken string
}

func newVerbs(s space, kind string) *verbs { return &verbs{s, kind, map[string]string{}, ""} }

var (
	managerOf = regexp.MustCompile(`fieldManager=(\w+)`)
	verbLine  = regexp.MustCompile(`^(\d+) (\w+) ([^ {[]*) ?(.*)\n$`)
	// verbRequests maps a verb to its method and content type.
	verbRequests = map[string][2]string{
		"get":    {http.MethodGet},
		"delete": {http.MethodDelete},
		"create": {http.MethodPost, "application/json"},
		"put":    {http.MethodPut, "application/json"},
		"json":   {http.MethodPatch, "application/json-patch+json"},
		"merge":  {http.MethodPatch, "application/merge-patch+json"},
		"apply":  {http.MethodPatch, "application/apply-patch+yaml"},
	}
)

// run sends the request of a line of testdata/verbs.txtar in a version. A line has the expected status, a verb, the
// name of an object with the rest of the path, and a body. For a verb that sends a whole object, the body is a merge
// patch: create patches a typical object, put the existing one, and apply an object that has only a name.
func (v *verbs) run(t *testing.T, version, line string) any {
	t.Helper()
	m := verbLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("invalid line %q", line)
	}
	typicalObject := v.typicalObject(t, version, v.kind, "").Object
	body := strings.NewReplacer("SPEC", string(asJSON(t, typicalObject["spec"])), "STATUS",
		string(asJSON(t, typicalObject["status"])), "DEALLOCATION", deallocation(version)).Replace(m[4])
	path := "/" + strings.ReplaceAll(m[3], "CONTINUE", v.continueToken)
	name, _, _ := strings.Cut(strings.Split(path[1:], "?")[0], "/")
	var fullObject *object
	switch m[2] {
	case "create":
		path, fullObject = strings.Replace(path, "/"+name, "", 1), v.typicalObject(t, version, v.kind, name)
	case "put":
		fullObject = v.get(t, version, v.kind, name)
	case "apply":
		fullObject = v.inNamespace(&object{Object: map[string]any{}}, version, v.kind, name)
	}
	if fullObject != nil {
		body = string(must.Get(jsonpatch.MergePatch(asJSON(t, fullObject), []byte(cmp.Or(body, "{}"))))(t))
	}
	request := verbRequests[m[2]]
	code, responseBody := api{v.space, v.group + "/" + version, ""}.requestResource(t, plurals[v.kind], request[0],
		strings.Replace(path, "/?", "?", 1), body, map[string]string{"Content-Type": request[1]})
	if fmt.Sprint(code) != m[1] {
		t.Errorf("%s in %s: got status %d, want %s: %s", line, version, code, m[1], responseBody)
	}
	var response any
	must.Do(t,
		json.Unmarshal([]byte(strings.NewReplacer(v.namespace, "NAMESPACE", v.group, "GROUP").Replace(responseBody)),
			&response))
	return v.normalize("", response)
}

// normalize replaces values that differ between two servers, such as UIDs and times.
func (v *verbs) normalize(key string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		if meta, _ := value["metadata"].(map[string]any); value["items"] != nil {
			meta["resourceVersion"] = "list"
			v.continueToken, _ = meta["continue"].(string)
		}
		delete(value, "claimbridgeLeftover")
		for name, member := range value {
			value[name] = v.normalize(name, member)
		}
	case []any:
		for i, item := range value {
			value[i] = v.normalize(key, item)
		}
		if key == "managedFields" { // an API server sorts them by their time, in seconds
			slices.SortFunc(value, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	case string:
		switch {
		case slices.Contains([]string{"uid", "creationTimestamp", "deletionTimestamp", "time", "continue"}, key):
			return key
		case key == "resourceVersion" && value != "list":
			if v.symbols[value] == "" {
				v.symbols[value] = fmt.Sprint("number ", len(v.symbols)+1)
			}
			return v.symbols[value]
		}
	}
	return value
}

// managedFieldsIn returns the managed fields of those managers that use a version.
func managedFieldsIn(response any, versionOf map[string]string, version string) (entries []any) {
	meta, _ := response.(map[string]any)["metadata"].(map[string]any)
	managedFields, _ := meta["managedFields"].([]any)
	for _, entry := range managedFields {
		if e := entry.(map[string]any); versionOf[fmt.Sprint(e["manager"])] == version {
			entries = append(entries, e)
		}
	}
	return entries
}
