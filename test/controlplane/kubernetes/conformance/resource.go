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

// resource of a version as the check wants it: an object, and how it is changed.
type resource struct {
	version, plural string
	kind
}

// kind is a case of upstream's test/e2e/dra/dra.go in JSON, which is the same for all versions but for the spec.
type kind struct {
	name       string
	namespaced bool
	// spec by version; that of "" is every other version's.
	spec map[string]string
	// patch is what an update changes and a strategic merge patch of the main resource, and, where
	// it is not spoken of more, its only one.
	patch string
	// more of the types of patches, with patches of the status beside.
	more bool
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
	"resourceclaims": {name: "ResourceClaim", namespaced: true, spec: claimSpecs, patch: labels, more: true},
	"resourceclaimtemplates": {
		name: "ResourceClaimTemplate", namespaced: true, spec: wrapped(claimSpecs), patch: labels,
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

// wrapped are specs of claims in those of templates.
func wrapped(specs map[string]string) map[string]string {
	all := map[string]string{}
	for version, spec := range specs {
		all[version] = `{"spec":` + spec + `}`
	}
	return all
}

func decoded(text string) (object map[string]any) {
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(err) // it stands in this file
	}
	return object
}

func newResource(arg string) (*resource, error) {
	version, plural, _ := strings.Cut(arg, "/")
	k, ok := kinds[plural]
	if !ok {
		return nil, fmt.Errorf("%s: there is no case for %q", arg, plural)
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
func (r *resource) HasStatus() bool    { return r.more }

// VerifyContent is off, as upstream has it: admission may change what is stored.
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
	o.Object["spec"] = decoded(spec)
	return o
}

func (r *resource) GetUpdateSpec(o *unstructured.Unstructured) *unstructured.Unstructured {
	merge(o.Object, decoded(r.change()))
	return o
}

// merge a patch into an object.
func merge(into, patch map[string]any) {
	for name, value := range patch {
		inner, isObject := value.(map[string]any)
		if at, isThere := into[name].(map[string]any); isObject && isThere {
			merge(at, inner)
		} else {
			into[name] = value
		}
	}
}

// change is the patch in the version.
func (r *resource) change() string {
	if r.version == "v1beta1" {
		return strings.ReplaceAll(r.patch, `{"name":"device-0"}`, `{"name":"device-0","basic":{}}`)
	}
	return r.patch
}

// GetUpdateStatus sets an allocation of nothing, which is valid.
func (r *resource) GetUpdateStatus(o *unstructured.Unstructured) *unstructured.Unstructured {
	o.Object["status"] = decoded(r.status())
	return o
}

// status with an allocation of nothing. Claims with classes have the name of a driver beside it.
func (r *resource) status() string {
	if r.version == "v1alpha1" || r.version == "v1alpha2" {
		return `{"driverName":"dra.example.com","allocation":{}}`
	}
	return `{"allocation":{}}`
}

func (r *resource) GetPatchSpec() []architecture.Patch {
	patch := r.change()
	patches := []architecture.Patch{r.merge(types.StrategicMergePatchType, patch)}
	if r.more {
		patches = append(patches, r.merge(types.ApplyPatchType, patch), r.merge(types.MergePatchType, patch),
			r.json(`[{"op":"add","path":"/metadata/labels/test.dra.example.com","value":"test"}]`))
	}
	return patches
}

func (r *resource) GetPatchStatus(*unstructured.Unstructured) []architecture.Patch {
	if !r.more {
		return nil
	}
	patch := `{"status":` + r.status() + `}`
	var operations []string
	for name, value := range decoded(r.status()) {
		operations = append(operations,
			fmt.Sprintf(`{"op":"add","path":"/status/%s","value":%s}`, name, encoded(value)))
	}
	return []architecture.Patch{
		r.merge(types.StrategicMergePatchType, patch),
		r.merge(types.ApplyPatchType, patch),
		r.merge(types.MergePatchType, patch),
		r.json("[" + strings.Join(operations, ",") + "]"),
	}
}
