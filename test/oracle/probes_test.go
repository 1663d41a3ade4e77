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

// probe is a write that releases validate differently, or that shows that they do not: what the rules
// of a version were written from. Objects are in the shape of v1.
type probe struct {
	part
	Template bool
	// Old is what is stored, which makes a spec an update. Unchanged is one that changes nothing.
	Old       *part
	Unchanged bool
	// Gates that are not at the release's default, in releases that have them.
	Gates string
	// Want is the errors, type and field, by the first release that says so, up to the next one
	// that is named. A version beside the release, or "flat" for v1alpha3 and v1beta1, is for that
	// version alone. Releases before the first are not asked.
	Want map[string]string
}

// part of an object: devices of a spec, or members of its one request, constraint and opaque
// parameters; a status, which makes it a write of the status, or members of its one result, and
// what is reported of devices.
type part struct {
	Devices, Exactly, Constraint, Opaque tree
	Status, Result                       tree
	Reported                             []any
}

// probes by what they are about: those of testdata/probes, in whose texts some functions repeat what is long.
func probes(t *testing.T) map[string]probe {
	t.Helper()
	all := map[string]probe{}
	for _, file := range []string{"spec.yaml", "status.yaml"} {
		var text bytes.Buffer
		functions := template.FuncMap{"times": times, "each": each, "repeat": strings.Repeat}
		parsed := must.Get(template.New(file).Funcs(functions).ParseFiles(filepath.Join("testdata", "probes", file)))(t)
		must.Do(t, parsed.Execute(&text, nil))
		var of map[string]probe
		must.Do(t, yaml.UnmarshalStrict(text.Bytes(), &of))
		for name, p := range of {
			if _, twice := all[name]; twice {
				t.Fatalf("%s: duplicate %s", file, name)
			}
			all[name] = p
		}
	}
	return all
}

func TestProbesNameExistingReleases(t *testing.T) {
	for name, p := range probes(t) {
		for when := range p.Want {
			if release, of, _ := strings.Cut(when, " "); release < "1.32" || !serves(release, of) {
				t.Errorf("%s: there is no %s", name, when)
			}
		}
	}
}

// probed are those of a release and version, at its default gates.
func probed(t *testing.T, version, release string) (all []asked) {
	t.Helper()
	for name, p := range probes(t) {
		if _, wanted := p.wanted(release, version); wanted && p.Gates == "" {
			all = append(all, asked{what: name, request: p.request(t, version)})
		}
	}
	slices.SortFunc(all, func(a, b asked) int { return strings.Compare(a.what, b.what) })
	return all
}

// serves tells whether a release serves a version, "flat" for one of the two that are, and none for any.
func serves(release, version string) bool {
	return slices.ContainsFunc(Validators, func(v Validator) bool {
		return v.Name == release && (version == "" || version == "flat" || slices.Contains(v.Versions, version))
	})
}

// wanted is what a release should say, if it is asked.
func (p probe) wanted(release, version string) (want string, wanted bool) {
	flat := version == "v1alpha3" || version == "v1beta1"
	for _, v := range Validators {
		if anyVersion, ok := p.Want[v.Name]; ok {
			want, wanted = anyVersion, true
		}
		for _, key := range []string{v.Name + " " + version, v.Name + " flat"} {
			if own, ok := p.Want[key]; ok && (flat || !strings.HasSuffix(key, " flat")) {
				want, wanted = own, true
			}
		}
		if v.Name == release {
			break
		}
	}
	return strings.TrimPrefix(want, "stored"), wanted
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

// status that is said, nil for none.
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
	spec := parse(t, render(t, tree{"devices": devices}, false)) // which is changed
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

// flatten requests as the older versions have them: without exactly, its members beside the name.
func flatten(spec tree) {
	requests, _ := spec["devices"].(tree)["requests"].([]any)
	for _, r := range requests {
		request := r.(tree)
		exactly, _ := request["exactly"].(tree)
		delete(request, "exactly")
		maps.Copy(request, exactly)
	}
}

// times a text, with a number in each.
func times(n int, item string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(item, "%", string(rune('a'+i/26))+string(rune('a'+i%26))) + ", ")
	}
	return b.String()
}

// each is the same problem of all items of a list.
func each(items int, problem string) string {
	var all []string
	for i := range items {
		all = append(all, fmt.Sprintf(problem, i))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
