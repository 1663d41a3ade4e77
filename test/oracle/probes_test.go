package oracle

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// probe is a write that shows whether releases validate something differently. The rules of a version were written from
// the results of probes. Objects have the fields of v1.
type probe struct {
	part
	Template bool
	// Old is the stored object. With it, a probe of a spec is an update.
	Old *part
	// Unchanged is set for an update that changes nothing.
	Unchanged bool
	// Gates are feature gates that do not have the default of the release, in releases that have them.
	Gates string
	// Want has the expected types and fields of errors by the first release that returns them, until the next key. A
	// key with a version, or with "flat" for v1alpha3 and v1beta1, applies only to that version. Releases before the
	// first key are not tested.
	Want map[string]string
}

// part of an object: either the devices of a spec, or members of its request, constraint and opaque parameters; and for
// a write of the status, either the status, or members of its result and the status of devices.
type part struct {
	Devices, Exactly, Constraint, Opaque tree
	Status, Result                       tree
	Reported                             []any
}

// probes returns the probes of testdata/probes by name. The files are templates, with functions that repeat texts.
func probes(t *testing.T) map[string]probe {
	t.Helper()
	all := map[string]probe{}
	for _, file := range []string{"spec.yaml", "status.yaml"} {
		var text bytes.Buffer
		functions := template.FuncMap{"times": times, "each": each, "repeat": strings.Repeat}
		parsed := must.Get(template.New(file).Funcs(functions).ParseFiles(filepath.Join("testdata", "probes", file)))(t)
		must.Do(t, parsed.Execute(&text, nil))
		var probesOfFile map[string]probe
		must.Do(t, yaml.UnmarshalStrict(text.Bytes(), &probesOfFile))
		for name, p := range probesOfFile {
			if _, isDuplicate := all[name]; isDuplicate {
				t.Fatalf("%s: duplicate %s", file, name)
			}
			all[name] = p
		}
	}
	return all
}

func TestProbesNameExistingReleases(t *testing.T) {
	for name, p := range probes(t) {
		for key := range p.Want {
			if release, version, _ := strings.Cut(key, " "); release < "1.32" || !serves(release, version) {
				t.Errorf("%s: there is no %s", name, key)
			}
		}
	}
}

// probesOf returns the probes of a release and version with its default feature gates.
func probesOf(t *testing.T, version, release string) (all []writtenTest) {
	t.Helper()
	for name, p := range probes(t) {
		if _, applies := p.want(release, version); applies && p.Gates == "" {
			all = append(all, writtenTest{name: name, request: p.request(t, version)})
		}
	}
	slices.SortFunc(all, func(a, b writtenTest) int { return strings.Compare(a.name, b.name) })
	return all
}

// serves reports whether a release serves a version: any with "", and v1alpha3 or v1beta1 with "flat".
func serves(release, version string) bool {
	return slices.ContainsFunc(Validators, func(v Validator) bool {
		return v.Name == release && (version == "" || version == "flat" || slices.Contains(v.Versions, version))
	})
}

// want returns the expected errors of a release in a version, and whether the probe applies to it.
func (p probe) want(release, version string) (want string, applies bool) {
	flat := version == "v1alpha3" || version == "v1beta1"
	for _, v := range Validators {
		if anyVersion, ok := p.Want[v.Name]; ok {
			want, applies = anyVersion, true
		}
		for _, key := range []string{v.Name + " " + version, v.Name + " flat"} {
			if oneVersion, ok := p.Want[key]; ok && (flat || !strings.HasSuffix(key, " flat")) {
				want, applies = oneVersion, true
			}
		}
		if v.Name == release {
			break
		}
	}
	return strings.TrimPrefix(want, "stored"), applies
}

func (p probe) request(t *testing.T, version string) validation.Request {
	t.Helper()
	var old part
	if p.Old != nil {
		old = *p.Old
	}
	r := validation.Request{Operation: validation.Create, Object: p.object(t, version, p.devices(), p.status())}
	switch {
	case p.status() != nil:
		r.Operation, r.OldObject = validation.UpdateStatus, p.object(t, version, p.devices(), old.status())
	case p.Unchanged:
		r.Operation, r.OldObject = validation.Update, r.Object
	case p.Old != nil:
		r.Operation, r.OldObject = validation.Update, p.object(t, version, old.devices(), nil)
	}
	return r
}

func (p part) devices() tree {
	if p.Devices != nil {
		return p.Devices
	}
	exactly := tree{"deviceClassName": "c"}
	maps.Copy(exactly, p.Exactly)
	devices := tree{"requests": []any{tree{"name": "r", "exactly": exactly}}}
	if p.Constraint != nil {
		devices["constraints"] = []any{p.Constraint}
	}
	if p.Opaque != nil {
		devices["config"] = []any{tree{"opaque": p.Opaque}}
	}
	return devices
}

// status returns the status, or nil if the part has none.
func (p part) status() tree {
	if p.Status != nil || p.Result == nil && p.Reported == nil {
		return p.Status
	}
	result := tree{"request": "r", "driver": "d", "pool": "p", "device": "e"}
	maps.Copy(result, p.Result)
	status := tree{"allocation": tree{"devices": tree{"results": []any{result}}}}
	if p.Reported != nil {
		status["devices"] = p.Reported
	}
	return status
}

func (p probe) object(t *testing.T, version string, devices, status tree) []byte {
	t.Helper()
	spec := parse(t, render(t, tree{"devices": devices}, false)) // a copy, which flatten changes
	if version == "v1alpha3" || version == "v1beta1" {
		flatten(spec)
	}
	o := tree{
		"apiVersion": "resource.k8s.io/" + version, "kind": "ResourceClaim", "spec": spec,
		"metadata": tree{
			"name":            "claim",
			"namespace":       "default",
			"uid":             "9d1c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c5d",
			"resourceVersion": "7",
		},
	}
	if p.Template {
		o["kind"], o["spec"] = "ResourceClaimTemplate", tree{"spec": spec}
	}
	if status != nil {
		o["status"] = status
	}
	return render(t, o, false)
}

// flatten moves the members of exactly into the requests, where older versions have them.
func flatten(spec tree) {
	requests, _ := spec["devices"].(tree)["requests"].([]any)
	for _, r := range requests {
		request := r.(tree)
		exactly, _ := request["exactly"].(tree)
		delete(request, "exactly")
		maps.Copy(request, exactly)
	}
}

// times repeats a text, with different letters in place of % in each copy.
func times(n int, item string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(item, "%", string(rune('a'+i/26))+string(rune('a'+i%26))) + ", ")
	}
	return b.String()
}

// each returns the same error for all items of a list.
func each(items int, problem string) string {
	var all []string
	for i := range items {
		all = append(all, fmt.Sprintf(problem, i))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
