//go:build e2e

package cluster

import (
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A driver of 1.26 allocates a claim, a scheduler of 1.31 reserves it and requests deallocation, and the driver
// deallocates it. No data is lost, and writes that the releases do not allow are denied in every version.
func TestLifeWithAnOldDriver(t *testing.T) {
	t.Parallel()
	c := claimLife{builtInOff.space(t), t}
	created := c.typical(t, "v1alpha1", claimKind, "gpu")
	c.create(t, created)

	c.writes("v1alpha1",
		`{"status":{"driverName":"gpu.example.com","allocation":{"resourceHandle":"{\"gpu\":\"GPU-0\"}",
		"availableOnNodes":{"nodeSelectorTerms":[{"matchFields":[
		{"key":"metadata.name","operator":"In","values":["worker-1"]}]}]}}}}`)
	c.allocated("allocated")
	c.denies("v1alpha3", `{"status":{"reservedFor":[`+pod("one")+`,`+pod("two")+`]}}`, "status.reservedFor",
		"two consumers of what is not shareable")
	c.denies("v1alpha2", `{"status":{"allocation":{"resourceHandles":null}}}`, "status.allocation",
		"an allocation without its handle")
	c.denies("v1alpha3", `{"status":{"allocation":{"controller":"other.example.com"}}}`, "status.allocation",
		"another allocation")

	c.writes("v1alpha3", `{"status":{"reservedFor":[`+pod("one")+`]}}`)
	c.allocated("reserved")
	c.denies("v1alpha1", `{"status":{"allocation":null}}`, "status.reservedFor", "deallocation of what is in use")
	for _, v := range withDeallocation {
		c.denies(v, `{"status":{"deallocationRequested":true}}`, "status.deallocationRequested",
			"a request to deallocate what is in use")
	}

	c.writes("v1alpha3", `{"status":{"reservedFor":null}}`)
	c.allocated("released")
	c.writes("v1alpha3", `{"status":{"deallocationRequested":true}}`)
	c.allocated("asked to be deallocated")
	for _, v := range withDeallocation {
		c.denies(v, `{"status":{"reservedFor":[`+pod("late")+`]}}`, "status.reservedFor",
			"a consumer of what is going away")
		c.denies(v, `{"status":{"deallocationRequested":false}}`, "status.deallocationRequested",
			"a request that is taken back")
	}

	c.writes("v1alpha1", `{"status":{"allocation":null,"deallocationRequested":null,"driverName":null}}`)
	for v, o := range c.everyVersion(t, claimKind, "gpu") {
		if status, ok := projection(o).(map[string]any); ok && len(status) > 0 {
			t.Errorf("%s: left of the status: %v", v, status)
		}
		equal(t, v+": annotations", len(o.GetAnnotations()), 0)
	}
	equal(t, "spec", c.get(t, "v1alpha1", claimKind, "gpu").Object["spec"], created.Object["spec"])
}

// withDeallocation are the versions whose API servers knew of requests to deallocate, and had rules for them.
var withDeallocation = versions[:slices.Index(versions, "v1beta1")]

// claimLife is the life of the claim gpu.
type claimLife struct {
	space
	t *testing.T
}

var uids = map[string]string{
	"one":  "1f0c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c51",
	"two":  "1f0c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c52",
	"late": "1f0c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c53",
}

func pod(name string) string {
	return `{"resource":"pods","name":"` + name + `","uid":"` + uids[name] + `"}`
}

// patch the status. A merge patch of what was read is what Get and UpdateStatus come to.
func (c claimLife) patch(version, body string) error {
	_, err := c.claims(version).Patch(c.t.Context(), "gpu", types.MergePatchType, []byte(body), metav1.PatchOptions{},
		"status")
	return err
}

func (c claimLife) writes(version, body string) {
	c.t.Helper()
	if err := c.patch(version, body); err != nil {
		c.t.Fatalf("%s: %v", version, err)
	}
}

// denies a write of the status, with a cause for the field, and stores nothing.
func (c claimLife) denies(version, body, field, what string) {
	c.t.Helper()
	before := c.get(c.t, stored, claimKind, "gpu")
	err := c.patch(version, body)
	if !apierrors.IsInvalid(err) {
		c.t.Errorf("%s, through %s: want 422, got %v", what, version, err)
		return
	}
	denied(c.t, err, field, "admission webhook")
	equal(c.t, what, c.get(c.t, stored, claimKind, "gpu"), before)
}

// allocated looks at what the driver wrote, in every version.
func (c claimLife) allocated(when string) {
	c.t.Helper()
	copies := c.everyVersion(c.t, claimKind, "gpu")
	const handle = `{"gpu":"GPU-0"}`
	equal(c.t, when+": handle in v1alpha1", nested(copies["v1alpha1"], "status", "allocation", "resourceHandle"),
		any(handle))
	equal(c.t, when+": handles in v1alpha2", nested(copies["v1alpha2"], "status", "allocation", "resourceHandles"),
		any([]any{map[string]any{"driverName": "gpu.example.com", "data": handle}}))
	equal(c.t, when+": controller in v1alpha3", nested(copies["v1alpha3"], "status", "allocation", "controller"),
		any("gpu.example.com"))
	equal(c.t, when+": nodes", nested(copies["v1alpha1"], "status", "allocation", "availableOnNodes"),
		nested(copies["v1alpha3"], "status", "allocation", "nodeSelector"))
	equal(c.t, when+": consumers", nested(copies["v1alpha1"], "status", "reservedFor"),
		nested(copies["v1alpha3"], "status", "reservedFor"))
	equal(c.t, when+": parameters", nested(copies["v1alpha1"], "spec", "parametersRef", "name"), any("one"))
}
