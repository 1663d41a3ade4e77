//go:build e2e

package cluster

import (
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestOldDriverAndNewScheduler simulates a driver of 1.26 that allocates a claim, a scheduler of 1.31 that reserves it
// and requests deallocation, and the driver that deallocates it. No data is lost, and writes that the releases do not
// allow are denied in every version.
func TestOldDriverAndNewScheduler(t *testing.T) {
	t.Parallel()
	c := claimLife{withoutBuiltIn.space(t), t}
	created := c.typicalObject(t, "v1alpha1", claimKind, "gpu")
	c.create(t, created)

	c.mustPatch("v1alpha1",
		`{"status":{"driverName":"gpu.example.com","allocation":{"resourceHandle":"{\"gpu\":\"GPU-0\"}",
		"availableOnNodes":{"nodeSelectorTerms":[{"matchFields":[
		{"key":"metadata.name","operator":"In","values":["worker-1"]}]}]}}}}`)
	c.checkAllocation("allocated")
	c.expectDenied("v1alpha3", `{"status":{"reservedFor":[`+pod("one")+`,`+pod("two")+`]}}`, "status.reservedFor",
		"two consumers of an allocation that is not shareable")
	c.expectDenied("v1alpha2", `{"status":{"allocation":{"resourceHandles":null}}}`, "status.allocation",
		"an allocation without its handle")
	c.expectDenied("v1alpha3", `{"status":{"allocation":{"controller":"other.example.com"}}}`, "status.allocation",
		"another allocation")

	c.mustPatch("v1alpha3", `{"status":{"reservedFor":[`+pod("one")+`]}}`)
	c.checkAllocation("reserved")
	c.expectDenied("v1alpha1", `{"status":{"allocation":null}}`, "status.reservedFor", "deallocation of a claim in use")
	for _, v := range versionsWithDeallocation {
		c.expectDenied(v, `{"status":{"deallocationRequested":true}}`, "status.deallocationRequested",
			"a request to deallocate a claim in use")
	}

	c.mustPatch("v1alpha3", `{"status":{"reservedFor":null}}`)
	c.checkAllocation("released")
	c.mustPatch("v1alpha3", `{"status":{"deallocationRequested":true}}`)
	c.checkAllocation("deallocation requested")
	for _, v := range versionsWithDeallocation {
		c.expectDenied(v, `{"status":{"reservedFor":[`+pod("late")+`]}}`, "status.reservedFor",
			"a consumer of a claim that is about to be deallocated")
		c.expectDenied(v, `{"status":{"deallocationRequested":false}}`, "status.deallocationRequested",
			"a withdrawn request for deallocation")
	}

	c.mustPatch("v1alpha1", `{"status":{"allocation":null,"deallocationRequested":null,"driverName":null}}`)
	for v, o := range c.getAllVersions(t, claimKind, "gpu") {
		if status, ok := projection(o).(map[string]any); ok && len(status) > 0 {
			t.Errorf("%s: got status %v after the deallocation, want none", v, status)
		}
		equal(t, v+": annotations", len(o.GetAnnotations()), 0)
	}
	equal(t, "spec", c.get(t, "v1alpha1", claimKind, "gpu").Object["spec"], created.Object["spec"])
}

// versionsWithDeallocation are the versions with a field that requests deallocation, and rules for it.
var versionsWithDeallocation = versions[:slices.Index(versions, "v1beta1")]

// claimLife writes the claim gpu.
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

// patch patches the status with a merge patch, which has the same result as a get and an update of the status.
func (c claimLife) patch(version, body string) error {
	_, err := c.claims(version).Patch(c.t.Context(), "gpu", types.MergePatchType, []byte(body), metav1.PatchOptions{},
		"status")
	return err
}

func (c claimLife) mustPatch(version, body string) {
	c.t.Helper()
	if err := c.patch(version, body); err != nil {
		c.t.Fatalf("%s: %v", version, err)
	}
}

// expectDenied checks that a write of the status is denied with a cause for the field, and that nothing is stored.
func (c claimLife) expectDenied(version, body, field, what string) {
	c.t.Helper()
	before := c.get(c.t, stored, claimKind, "gpu")
	err := c.patch(version, body)
	if !apierrors.IsInvalid(err) {
		c.t.Errorf("%s through %s: got error %v, want Invalid", what, version, err)
		return
	}
	expectInvalid(c.t, err, field, "admission webhook")
	equal(c.t, what, c.get(c.t, stored, claimKind, "gpu"), before)
}

// checkAllocation checks the allocation by the driver in every version.
func (c claimLife) checkAllocation(when string) {
	c.t.Helper()
	copies := c.getAllVersions(c.t, claimKind, "gpu")
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
