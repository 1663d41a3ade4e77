package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/validation"
)

// probe is a write that releases judge differently, or that shows that they do not: what the rules of a version were written
// from. Parts of objects are YAML in the shape of v1.
type probe struct {
	template bool
	// devices of the spec, and of the stored one, which makes it an update; "same" is what is sent.
	devices, oldDevices string
	// status that is sent, which makes it a write of the status, and the stored one.
	status, oldStatus string
	// gates that are not at the release's default, in releases that have them.
	gates string
	// want is the errors, type and field, by the first release that says so, up to the next one that is named. A version
	// beside the release, or "flat" for v1alpha3 and v1beta1, is for that version alone. Releases before the first are not asked.
	want map[string]string
}

// probes by what they are about.
func probes() map[string]probe {
	all := maps.Clone(specProbes)
	maps.Copy(all, statusProbes)
	return all
}

func TestProbesNameReleasesThatThereAre(t *testing.T) {
	for name, p := range probes() {
		for when := range p.want {
			if release, of, _ := strings.Cut(when, " "); release < "1.32" || !serves(release, of) {
				t.Errorf("%s: there is no %s", name, when)
			}
		}
	}
}

// probed are those of a release and version, at its default gates.
func probed(t *testing.T, version, release string) (all []asked) {
	t.Helper()
	for name, p := range probes() {
		if _, wanted := p.wanted(release, version); wanted && p.gates == "" {
			all = append(all, asked{what: name, request: p.request(t, version)})
		}
	}
	slices.SortFunc(all, func(a, b asked) int { return strings.Compare(a.what, b.what) })
	return all
}

// serves tells whether a release serves a version, "flat" for one of the two that are, and none for any.
func serves(release, version string) bool {
	return slices.ContainsFunc(Judges, func(j Judge) bool {
		return j.Name == release && (version == "" || version == "flat" || slices.Contains(j.Versions, version))
	})
}

// wanted is what a release should say, if it is asked.
func (p probe) wanted(release, version string) (want string, wanted bool) {
	flat := version == "v1alpha3" || version == "v1beta1"
	for _, j := range Judges {
		if anyVersion, ok := p.want[j.Name]; ok {
			want, wanted = anyVersion, true
		}
		for _, key := range []string{j.Name + " " + version, j.Name + " flat"} {
			if own, ok := p.want[key]; ok && (flat || !strings.HasSuffix(key, " flat")) {
				want, wanted = own, true
			}
		}
		if j.Name == release {
			break
		}
	}
	return want, wanted
}

func (p probe) request(t *testing.T, version string) validation.Request {
	t.Helper()
	devices := orElse(p.devices, one(""))
	r := validation.Request{Operation: validation.Create, Object: p.object(t, version, devices, p.status)}
	switch {
	case p.status != "":
		r.Operation, r.OldObject = validation.UpdateStatus, p.object(t, version, devices, p.oldStatus)
	case p.oldDevices == "same":
		r.Operation, r.OldObject = validation.Update, r.Object
	case p.oldDevices != "":
		r.Operation, r.OldObject = validation.Update, p.object(t, version, p.oldDevices, "")
	}
	return r
}

func (p probe) object(t *testing.T, version, devices, status string) []byte {
	t.Helper()
	spec := tree{"devices": fromYAML(t, devices)}
	if version == "v1alpha3" || version == "v1beta1" {
		flatten(spec)
	}
	o := tree{
		"apiVersion": "resource.k8s.io/" + version, "kind": "ResourceClaim", "spec": spec,
		"metadata": tree{"name": "claim", "namespace": "default", "uid": "9d1c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c5d", "resourceVersion": "7"},
	}
	if p.template {
		o["kind"], o["spec"] = "ResourceClaimTemplate", tree{"spec": spec}
	}
	if status != "" {
		o["status"] = fromYAML(t, status)
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

func fromYAML(t *testing.T, text string) tree {
	t.Helper()
	var o tree
	if err := yaml.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return o
}

// one request: more of it than its class is given as YAML.
func one(members string) string {
	return "{requests: [{name: r, exactly: {deviceClassName: c, " + members + "}}]}"
}

// times a text, with a number in each.
func times(n int, item string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(item, "%", string(rune('a'+i/26))+string(rune('a'+i%26))) + ", ")
	}
	return b.String()
}
