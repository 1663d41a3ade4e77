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

// Every verb of the API, for both kinds and in every version, has the same response as that of an API server with only
// this version and no conversion: status, object, owners of fields, error. Managers of three versions that write one
// claim own the same fields as if all used one version.
func TestVerbs(t *testing.T) {
	mixed := map[string]string{
		"creator": "v1alpha2", "platform": "v1alpha1", "driver": "v1alpha1", "scheduler": "v1alpha3",
		"labeller": "v1alpha2",
	}
	for j, version := range versions {
		twin := controlPlaneForVersion(t, version)
		for i, kind := range []string{claimKind, templateKind} {
			p := planes[(i+j)%len(planes)]
			t.Run(p.name+"/"+version+" "+kind, func(t *testing.T) {
				t.Parallel()
				for _, session := range must.Get(txtar.ParseFile(filepath.Join("testdata", "verbs.txtar")))(t).Files {
					if of, _, isOfOne := strings.Cut(session.Name, " only: "); isOfOne && of != kind {
						continue
					}
					t.Run(session.Name, func(t *testing.T) {
						here := newVerbs(p.space(t), kind)
						there := newVerbs(twin.space(t), kind)
						across := newVerbs(p.space(t), kind)
						for line := range strings.Lines(string(session.Data)) {
							got, want := here.ask(t, version, line), there.ask(t, version, line)
							equal(t, line, got, want)
							m := managerOf.FindStringSubmatch(line)
							if m != nil && strings.HasSuffix(session.Name, "who owns what") {
								equal(t, line+" of a claim of three versions",
									ownersOf(across.ask(t, mixed[m[1]], line), mixed, version),
									ownersOf(want, mixed, version))
							}
						}
					})
				}
			})
		}
	}
}

// verbs that are asked of one kind in a namespace.
type verbs struct {
	space
	kind string
	// symbols of what differs by nature, and the token of the last list.
	symbols   map[string]string
	following string
}

func newVerbs(s space, kind string) *verbs { return &verbs{s, kind, map[string]string{}, ""} }

var (
	managerOf = regexp.MustCompile(`fieldManager=(\w+)`)
	verbLine  = regexp.MustCompile(`^(\d+) (\w+) ([^ {[]*) ?(.*)\n$`)
	// sentBy a verb: its method, and the type of its body.
	sentBy = map[string][2]string{
		"get":    {http.MethodGet},
		"delete": {http.MethodDelete},
		"create": {http.MethodPost, "application/json"},
		"put":    {http.MethodPut, "application/json"},
		"json":   {http.MethodPatch, "application/json-patch+json"},
		"merge":  {http.MethodPatch, "application/merge-patch+json"},
		"apply":  {http.MethodPatch, "application/apply-patch+yaml"},
	}
)

// ask in a version what a line of testdata/verbs.txtar says: the status that is wanted, a verb, the
// name of an object with what comes behind it in the path, and a body. Where a whole object is sent
// the body is a merge patch: of a typical one, of the one that is there, of its name.
func (v *verbs) ask(t *testing.T, version, line string) any {
	t.Helper()
	m := verbLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("%q is no step", line)
	}
	typical := v.typical(t, version, v.kind, "").Object
	body := strings.NewReplacer("SPEC", string(asJSON(t, typical["spec"])), "STATUS",
		string(asJSON(t, typical["status"])), "DEALLOCATION", deallocation(version)).Replace(m[4])
	path := "/" + strings.ReplaceAll(m[3], "CONTINUE", v.following)
	name, _, _ := strings.Cut(strings.Split(path[1:], "?")[0], "/")
	var whole *object
	switch m[2] {
	case "create":
		path, whole = strings.Replace(path, "/"+name, "", 1), v.typical(t, version, v.kind, name)
	case "put":
		whole = v.get(t, version, v.kind, name)
	case "apply":
		whole = v.move(&object{Object: map[string]any{}}, version, v.kind, name)
	}
	if whole != nil {
		body = string(must.Get(jsonpatch.MergePatch(asJSON(t, whole), []byte(cmp.Or(body, "{}"))))(t))
	}
	sent := sentBy[m[2]]
	code, text := api{v.space, v.group + "/" + version, ""}.askFor(t, plurals[v.kind], sent[0],
		strings.Replace(path, "/?", "?", 1), body, map[string]string{"Content-Type": sent[1]})
	if fmt.Sprint(code) != m[1] {
		t.Errorf("%s in %s: %d %s", line, version, code, text)
	}
	var answer any
	must.Do(t,
		json.Unmarshal([]byte(strings.NewReplacer(v.namespace, "NAMESPACE", v.group, "GROUP").Replace(text)), &answer))
	return v.normal("", answer)
}

// normal is an answer without what differs by nature.
func (v *verbs) normal(key string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		if meta, _ := value["metadata"].(map[string]any); value["items"] != nil {
			meta["resourceVersion"] = "of the list"
			v.following, _ = meta["continue"].(string)
		}
		delete(value, "claimbridgeLeftover")
		for name, member := range value {
			value[name] = v.normal(name, member)
		}
	case []any:
		for i, item := range value {
			value[i] = v.normal(key, item)
		}
		if key == "managedFields" { // an API server sorts them by the second in which they were written
			slices.SortFunc(value, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	case string:
		switch {
		case slices.Contains([]string{"uid", "creationTimestamp", "deletionTimestamp", "time", "continue"}, key):
			return key
		case key == "resourceVersion" && value != "of the list":
			if v.symbols[value] == "" {
				v.symbols[value] = fmt.Sprint("number ", len(v.symbols)+1)
			}
			return v.symbols[value]
		}
	}
	return value
}

// ownersOf what, among those managers who use a version.
func ownersOf(answer any, versionOf map[string]string, version string) (entries []any) {
	meta, _ := answer.(map[string]any)["metadata"].(map[string]any)
	all, _ := meta["managedFields"].([]any)
	for _, entry := range all {
		if e := entry.(map[string]any); versionOf[fmt.Sprint(e["manager"])] == version {
			entries = append(entries, e)
		}
	}
	return entries
}
