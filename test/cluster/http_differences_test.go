//go:build e2e

package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// What docs/crd-differences.md and docs/python.md say of bodies and answers, each beside the in-tree API.
func TestBodiesAndAnswersBesideBuiltIn(t *testing.T) {
	t.Parallel()
	apis := bothAPIs(t)
	type answers struct {
		code int
		// says is part of the answer, lacks is not.
		says, lacks string
	}
	tests := map[string]struct {
		// do is done to a claim of this name that is there.
		do           func(t *testing.T, a api, name string) (int, string)
		here, inTree answers
	}{
		"delete": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodDelete, "/"+name, "", nil)
			},
			here:   answers{code: http.StatusOK, says: `"kind":"Status"`, lacks: `"spec"`},
			inTree: answers{code: http.StatusOK, says: `"kind":"ResourceClaim"`},
		},
		"delete as a dry run": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodDelete, "/"+name+"?dryRun=All", "", nil)
			},
			here:   answers{code: http.StatusOK, says: `"kind":"Status"`, lacks: `"spec"`},
			inTree: answers{code: http.StatusOK, says: `"kind":"ResourceClaim"`},
		},
		"delete of what has a finalizer": {
			do: func(t *testing.T, a api, name string) (int, string) {
				patch := `{"metadata":{"finalizers":["example.com/wait"]}}`
				if code, answer := a.ask(t, http.MethodPatch, "/"+name, patch, mergePatch); code != http.StatusOK {
					return code, answer
				}
				return a.ask(t, http.MethodDelete, "/"+name, "", nil)
			},
			here:   answers{code: http.StatusOK, says: `"kind":"ResourceClaim"`},
			inTree: answers{code: http.StatusOK, says: `"kind":"ResourceClaim"`},
		},
		"create without kind and apiVersion": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPost, "", a.body(`"metadata":{"name":"more-`+name+`"}`), nil)
			},
			here:   answers{code: http.StatusBadRequest, says: "Object 'Kind' is missing"},
			inTree: answers{code: http.StatusCreated},
		},
		"update without kind and apiVersion": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPut, "/"+name, a.body(`"metadata":{"name":"`+name+`","resourceVersion":"`+a.version(t, name)+`"}`), nil)
			},
			here:   answers{code: http.StatusBadRequest, says: "Object 'Kind' is missing"},
			inTree: answers{code: http.StatusOK},
		},
		"create with a kind and no apiVersion": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPost, "", a.body(`"kind":"ResourceClaim","metadata":{"name":"more-`+name+`"}`), nil)
			},
			here:   answers{code: http.StatusBadRequest, says: "apiVersion"},
			inTree: answers{code: http.StatusCreated},
		},
		"create with a wrong kind": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPost, "", a.withDefaults().body(`"apiVersion":"`+a.apiVersion+`","kind":"Claim","metadata":{"name":"more-`+name+`"}`), nil)
			},
			here:   answers{code: http.StatusUnprocessableEntity, says: "must be ResourceClaim"},
			inTree: answers{code: http.StatusBadRequest},
		},
		"update with a wrong kind": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPut, "/"+name, a.withDefaults().body(`"apiVersion":"`+a.apiVersion+`","kind":"Claim","metadata":{"name":"`+name+`","resourceVersion":"`+a.version(t, name)+`"}`), nil)
			},
			here:   answers{code: http.StatusUnprocessableEntity, says: "must be ResourceClaim"},
			inTree: answers{code: http.StatusBadRequest},
		},
		"create with a wrong kind, without a count": { // what a webhook has changed an API server decodes as what the path says
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPost, "", a.body(`"apiVersion":"`+a.apiVersion+`","kind":"Claim","metadata":{"name":"more-`+name+`"}`), nil)
			},
			here:   answers{code: http.StatusCreated, says: `"kind":"ResourceClaim"`},
			inTree: answers{code: http.StatusBadRequest},
		},
		"list": {
			do: func(t *testing.T, a api, _ string) (int, string) {
				code, answer := a.ask(t, http.MethodGet, "", "", nil)
				var list struct{ Items []json.RawMessage }
				if err := json.Unmarshal([]byte(answer), &list); err != nil || len(list.Items) == 0 {
					t.Fatalf("%v: %s", err, answer)
				}
				return code, string(list.Items[0])
			},
			here:   answers{code: http.StatusOK, says: `"kind":"ResourceClaim"`},
			inTree: answers{code: http.StatusOK, lacks: `"kind":"ResourceClaim"`},
		},
		"a reservation that is there twice": {
			do: func(t *testing.T, a api, name string) (int, string) {
				patch := fmt.Sprintf(`{"status":{%s,"reservedFor":[%s,%s]}}`, a.allocation(), pod("one"), pod("one"))
				return a.ask(t, http.MethodPatch, "/"+name+"/status", patch, mergePatch)
			},
			here:   answers{code: http.StatusUnprocessableEntity, says: "Duplicate value", lacks: "denied the request"},
			inTree: answers{code: http.StatusUnprocessableEntity, says: "Duplicate value"},
		},
		"a list as a JSON patch": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPatch, "/"+name, `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`, map[string]string{"Content-Type": "application/json-patch+json"})
			},
			here:   answers{code: http.StatusOK, says: `"labels":{"a":"b"}`},
			inTree: answers{code: http.StatusOK, says: `"labels":{"a":"b"}`},
		},
		"an object as a merge patch": {
			do: func(t *testing.T, a api, name string) (int, string) {
				return a.ask(t, http.MethodPatch, "/"+name, `{"metadata":{"labels":{"a":"b"}}}`, mergePatch)
			},
			here:   answers{code: http.StatusOK, says: `"labels":{"a":"b"}`},
			inTree: answers{code: http.StatusOK, says: `"labels":{"a":"b"}`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			claim := strings.NewReplacer(" ", "-", ",", "").Replace(strings.ToLower(name))
			for where, want := range map[string]answers{"here": test.here, "in-tree": test.inTree} {
				a := apis[where]
				if code, answer := a.ask(t, http.MethodPost, "", a.claim(claim), nil); code != http.StatusCreated {
					t.Fatalf("%s: %d %s", where, code, answer)
				}
				code, answer := test.do(t, a, claim)
				if code != want.code || !strings.Contains(answer, want.says) || want.lacks != "" && strings.Contains(answer, want.lacks) {
					t.Errorf("%s: %d %s\nwant %+v", where, code, answer, want)
				}
			}
		})
	}
}

var mergePatch = map[string]string{"Content-Type": "application/merge-patch+json"}

// bothAPIs of claims: as custom resources, and in-tree.
func bothAPIs(t *testing.T) map[string]api {
	t.Helper()
	const spec = `"spec":{"devices":{"requests":[{"name":"a",%s}]}}`
	return map[string]api{
		"here":    {builtInOff.space(t), "resource.k8s.io/v1alpha3", fmt.Sprintf(spec, `"deviceClassName":"c"`)},
		"in-tree": {ownGroup.space(t), "resource.k8s.io/v1", fmt.Sprintf(spec, `"exactly":{"deviceClassName":"c"}`)},
	}
}

// body of a claim with these members before its spec.
func (a api) body(members string) string { return "{" + members + "," + a.spec + "}" }

// withDefaults is the same API, whose claims say what is optional.
func (a api) withDefaults() api {
	a.spec = strings.Replace(a.spec, `"deviceClassName"`, `"allocationMode":"ExactCount","count":1,"deviceClassName"`, 1)
	return a
}

// allocation of a claim, as a member of its status.
func (a api) allocation() string {
	return `"allocation":{"devices":{"results":[{"request":"a","driver":"gpu.example.com","pool":"p","device":"d"}]}}`
}

// version of a claim for a write.
func (a api) version(t *testing.T, name string) string {
	t.Helper()
	_, answer := a.ask(t, http.MethodGet, "/"+name, "", nil)
	o := &object{}
	if err := o.UnmarshalJSON([]byte(answer)); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	return o.GetResourceVersion()
}

// The columns of a table have one value each: of lists it is the first.
func TestColumnsShowTheFirstOfAList(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	o := s.hidden(t, "two", "rack-1")
	set(t, o, []any{
		map[string]any{"request": "nic", "driver": "nic.example.com", "pool": "rack-1", "device": "nic-0"},
		map[string]any{"request": "gpu", "driver": "gpu.example.com", "pool": "rack-2", "device": "gpu-0"},
	}, "status", "allocation", "devices", "results")
	s.createWithStatus(t, set(t, o, []any{consumer(0), consumer(1)}, "status", "reservedFor"))
	a := api{space: s, apiVersion: s.group + "/" + stored}
	code, answer := a.ask(t, http.MethodGet, "/two", "", map[string]string{"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1"})
	var table struct {
		ColumnDefinitions []struct{ Name string }
		Rows              []struct{ Cells []any }
	}
	if err := json.Unmarshal([]byte(answer), &table); err != nil || code != http.StatusOK || len(table.Rows) != 1 {
		t.Fatalf("%d, %v: %s", code, err, answer)
	}
	cells := map[string]any{}
	for i, column := range table.ColumnDefinitions {
		cells[column.Name] = table.Rows[0].Cells[i]
	}
	for column, want := range map[string]string{
		"DeviceClassName": "gpu.example.com", "Driver": "nic.example.com", "ReservedFor": "pod-0", "Pool": "rack-1", "Device": "nic-0",
	} {
		equal(t, column, cells[column], any(want))
	}
}

// A write of the main resource through an old version stores the status as it was, members that say nothing included.
func TestZeroValuesStayInOldVersions(t *testing.T) {
	t.Parallel()
	s := builtInOff.space(t)
	o := s.typical(t, stored, claimKind, "zero")
	set(t, o, false, "status", deallocation(stored))
	set(t, o, []any{map[string]any{
		"source": "FromClass", "requests": []any{}, "opaque": map[string]any{"driver": "gpu.example.com", "parameters": map[string]any{"a": "b"}},
	}}, "status", "allocation", "devices", "config")
	was := s.createWithStatus(t, o)
	equal(t, "stored", was.Object["status"], o.Object["status"])
	must.Get(s.claims("v1alpha2").Update(t.Context(), withLabel(s.get(t, "v1alpha2", claimKind, "zero"), "a", "b"), metav1.UpdateOptions{}))(t)
	equal(t, "status", s.get(t, stored, claimKind, "zero").Object["status"], was.Object["status"])
}
