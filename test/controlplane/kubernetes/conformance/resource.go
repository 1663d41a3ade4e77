package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/test/e2e/framework/conformance"
)

// resource implements architecture.TestResource for a resource in a version.
type resource struct {
	version, plural string
	kind
}

// kind is a case of upstream's test/e2e/dra/dra.go in JSON. Only the spec depends on the version.
type kind struct {
	name       string
	namespaced bool
	// spec by version. The key "" has the spec of all versions that have no separate one.
	spec map[string]string
	// patch is the change of the update test and of the strategic merge patch. It is the only patch if hasStatus is
	// false.
	patch string
	// hasStatus adds the other patch types, and patches of the status.
	hasStatus bool
}

const (
	labels       = `{"metadata":{"labels":{"test.dra.example.com":"test"}}}`
	flatRequest  = `{"devices":{"requests":[{"name":"req-0","deviceClassName":"dra.example.com"}]}}`
	exactRequest = `{"devices":{"requests":[{"name":"req-0","exactly":{"deviceClassName":"dra.example.com"}}]}}`
	classic      = `{"resourceClassName":"dra.example.com"}`
)

var claimSpecs = map[string]string{
	"v1alpha1": classic, "v1alpha2": classic, "v1alpha3": flatRequest, "v1beta1": flatRequest,
	"": exactRequest,
}

var kinds = map[string]kind{
	"resourceclaims": {name: "ResourceClaim", namespaced: true, spec: claimSpecs, patch: labels, hasStatus: true},
	"resourceclaimtemplates": {
		name: "ResourceClaimTemplate", namespaced: true, spec: templateSpecs(claimSpecs), patch: labels,
	},
	"deviceclasses": {
		name:  "DeviceClass",
		spec:  map[string]string{"": `{"selectors":[{"cel":{"expression":"false"}}]}`},
		patch: `{"spec":{"selectors":[{"cel":{"expression":"1 == 0"}}]}}`,
	},
	"resourceslices": {
		name: "ResourceSlice",
		spec: map[string]string{
			"": `{"driver":"dra.example.com","nodeName":"no-such-node","pool":{"name":"cluster","generation":1,` +
				`"resourceSliceCount":1},"devices":[]}`,
		},
		patch: `{"spec":{"devices":[{"name":"device-0"}]}}`,
	},
}

// templateSpecs returns the specs of templates with the given specs of claims.
func templateSpecs(specs map[string]string) map[string]string {
	result := map[string]string{}
	for version, spec := range specs {
		result[version] = `{"spec":` + spec + `}`
	}
	return result
}

func mustDecode(text string) (object map[string]any) {
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(err) // all texts are constants of this file
	}
	return object
}

func newResource(arg string) (*resource, error) {
	version, plural, _ := strings.Cut(arg, "/")
	k, ok := kinds[plural]
	if !ok {
		return nil, fmt.Errorf("%s: unknown resource %q", arg, plural)
	}
	return &resource{version: version, plural: plural, kind: k}, nil
}

func (r *resource) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "resource.k8s.io", Version: r.version, Kind: r.name}
}

func (r *resource) GetGroupVersionResource() schema.GroupVersionResource {
	return r.gvk().GroupVersion().WithResource(r.plural)
}

func (r *resource) IsNamespaced() bool { return r.namespaced }
func (r *resource) HasStatus() bool    { return r.hasStatus }

// VerifyContent returns false, as upstream does, because admission may change what is stored.
func (r *resource) VerifyContent() bool { return false }

func (r *resource) GetInitialObject(namespace string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{}}
	o.SetGroupVersionKind(r.gvk())
	o.SetName("test")
	if !r.namespaced {
		o.SetName("test-" + namespace)
	}
	spec, ok := r.spec[r.version]
	if !ok {
		spec = r.spec[""]
	}
	o.Object["spec"] = mustDecode(spec)
	return o
}

func (r *resource) GetUpdateSpec(o *unstructured.Unstructured) *unstructured.Unstructured {
	merge(o.Object, mustDecode(r.versionedPatch()))
	return o
}

// merge merges a patch into an object.
func merge(into, patch map[string]any) {
	for name, value := range patch {
		inner, isObject := value.(map[string]any)
		if current, exists := into[name].(map[string]any); isObject && exists {
			merge(current, inner)
		} else {
			into[name] = value
		}
	}
}

// versionedPatch returns the patch in the version.
func (r *resource) versionedPatch() string {
	if r.version == "v1beta1" {
		return strings.ReplaceAll(r.patch, `{"name":"device-0"}`, `{"name":"device-0","basic":{}}`)
	}
	return r.patch
}

// GetUpdateStatus sets an empty allocation, which is valid.
func (r *resource) GetUpdateStatus(o *unstructured.Unstructured) *unstructured.Unstructured {
	o.Object["status"] = mustDecode(r.status())
	return o
}

// status returns a status with an empty allocation. In versions of classic DRA, the status also has a driver name.
func (r *resource) status() string {
	if r.version == "v1alpha1" || r.version == "v1alpha2" {
		return `{"driverName":"dra.example.com","allocation":{}}`
	}
	return `{"allocation":{}}`
}

func (r *resource) GetPatchSpec() []architecture.Patch {
	patch := r.versionedPatch()
	patches := []architecture.Patch{r.merge(types.StrategicMergePatchType, patch)}
	if r.hasStatus {
		patches = append(patches, r.merge(types.ApplyPatchType, patch), r.merge(types.MergePatchType, patch),
			r.json(`[{"op":"add","path":"/metadata/labels/test.dra.example.com","value":"test"}]`))
	}
	return patches
}

func (r *resource) GetPatchStatus(*unstructured.Unstructured) []architecture.Patch {
	if !r.hasStatus {
		return nil
	}
	patch := `{"status":` + r.status() + `}`
	var operations []string
	for name, value := range mustDecode(r.status()) {
		operations = append(operations,
			fmt.Sprintf(`{"op":"add","path":"/status/%s","value":%s}`, name, mustEncode(value)))
	}
	return []architecture.Patch{
		r.merge(types.StrategicMergePatchType, patch),
		r.merge(types.ApplyPatchType, patch),
		r.merge(types.MergePatchType, patch),
		r.json("[" + strings.Join(operations, ",") + "]"),
	}
}
