package oracle

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/claimbridge/claimbridge/conversion"
)

// judgedConversion is of a claim with these devices. Parts of objects are YAML.
type judgedConversion struct {
	from, to      string
	withDefaults  bool
	devices, want string
	// ours is what claimbridge makes of it, where that is meant to be something else.
	ours string
}

// served says whether a judge converts between the versions: those before 1.33 have one shape alone.
func (c judgedConversion) served(j Judge) bool {
	return j.Name >= "1.33" && slices.Contains(j.Versions, c.from) && slices.Contains(j.Versions, c.to)
}

func (c judgedConversion) object(t *testing.T) []byte {
	t.Helper()
	return render(t, tree{
		"apiVersion": "resource.k8s.io/" + c.from, "kind": "ResourceClaim",
		"metadata": tree{"name": "claim"}, "spec": tree{"devices": fromYAML(t, c.devices)},
	}, false)
}

// What upstream makes of the devices of a spec in another version.
var conversions = map[string]judgedConversion{
	"the members of a request move into exactly": {
		from: "v1beta1", to: "v1beta2", devices: "{requests: [{name: r, deviceClassName: c, adminAccess: false}]}",
		want: "{requests: [{name: r, exactly: {deviceClassName: c, adminAccess: false}}]}",
	},
	"and so in the last version": {
		from: "v1beta1", to: "v1", devices: "{requests: [{name: r, deviceClassName: c, count: 2}]}",
		want: "{requests: [{name: r, exactly: {deviceClassName: c, count: 2}}]}",
	},
	"and out of it": {
		from: "v1beta2", to: "v1beta1", devices: "{requests: [{name: r, exactly: {deviceClassName: c, count: 2}}]}",
		want: "{requests: [{name: r, deviceClassName: c, count: 2}]}",
	},
	"alternatives stay where they are": {
		from: "v1", to: "v1beta1", devices: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: c}]}]}",
		want: "{requests: [{name: r, deviceClassName: '', firstAvailable: [{name: s, deviceClassName: c}]}]}",
	},
	"a request of nothing has no exactly": {
		from: "v1beta1", to: "v1beta2", withDefaults: true, devices: "{requests: [{name: r}]}",
		want: "{requests: [{name: r}]}",
	},
	"an empty exactly is lost": {
		from: "v1beta2", to: "v1beta1", devices: "{requests: [{name: r, exactly: {}}]}",
		want: "{requests: [{name: r, deviceClassName: ''}]}",
		ours: "{requests: [{name: r, allocationMode: ExactCount, count: 1}]}",
	},
	"an empty exactly is filled by the defaults of its version, and stays": {
		from: "v1beta2", to: "v1beta1", withDefaults: true, devices: "{requests: [{name: r, exactly: {}}]}",
		want: "{requests: [{name: r, deviceClassName: '', allocationMode: ExactCount, count: 1}]}",
	},
	"a request with a class gets mode and count": {
		from: "v1beta1", to: "v1", withDefaults: true, devices: "{requests: [{name: r, deviceClassName: c}]}",
		want: "{requests: [{name: r, exactly: {deviceClassName: c, allocationMode: ExactCount, count: 1}}]}",
	},
	"an alternative gets mode and count always, and a toleration its operator": {
		from: "v1", to: "v1beta2", withDefaults: true, devices: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: '', tolerations: [{key: k}]}]}]}",
		want: "{requests: [{name: r, firstAvailable: [{name: s, deviceClassName: '', allocationMode: ExactCount, count: 1, tolerations: [{key: k, operator: Equal}]}]}]}",
	},
	"an empty list of tolerations makes an exactly, and is not in it": {
		from: "v1beta1", to: "v1beta2", devices: "{requests: [{name: r, tolerations: []}]}",
		want: "{requests: [{name: r, exactly: {deviceClassName: ''}}]}",
	},
	"in the first versions a request is the same": {
		from: "v1alpha3", to: "v1beta1", withDefaults: true, devices: "{requests: [{name: r, deviceClassName: c, allocationMode: All}]}",
		want: "{requests: [{name: r, deviceClassName: c, allocationMode: All}]}",
	},
}

// Each conversion has a judge among those that are asked when nobody names a release.
func TestConversionsHaveJudges(t *testing.T) {
	judges, err := Chosen("")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range conversions {
		if !slices.ContainsFunc(judges, c.served) {
			t.Errorf("%s: no judge serves %s and %s", name, c.from, c.to)
		}
	}
}

// What upstream makes of it we make of it too, but for names of classes that are empty, which we do not write.
func TestConversionsAreThoseOfTheJudges(t *testing.T) {
	for name, c := range conversions {
		out, report, err := conversion.JSON(c.object(t), c.to, conversion.Options{Strict: true, OmitDefaults: !c.withDefaults, Carried: true})
		if err != nil || len(report.Carried)+len(report.Lost) > 0 {
			t.Errorf("%s: %v, left over: %q, lost: %q", name, err, report.Carried, report.Lost)
			continue
		}
		got := parse(t, out)["spec"].(tree)["devices"].(tree)
		want := fromYAML(t, cmp.Or(c.ours, c.want))
		withoutEmptyClasses(want)
		if diff := gocmp.Diff(want, fromYAML(t, string(render(t, got, false)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func withoutEmptyClasses(value any) {
	switch v := value.(type) {
	case tree:
		if v["deviceClassName"] == "" {
			delete(v, "deviceClassName")
		}
		for _, inner := range v {
			withoutEmptyClasses(inner)
		}
	case []any:
		for _, inner := range v {
			withoutEmptyClasses(inner)
		}
	}
}
