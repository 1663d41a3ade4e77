package unstructured

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// inTree are Kubernetes' own types.
var inTree = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		resourcev1.AddToScheme, resourcev1beta2.AddToScheme, resourcev1beta1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return scheme
}()

// typeOf returns the type of a version's objects: Kubernetes' own, or that of package api for versions that k8s.io/api
// no longer has.
func typeOf(version, kind string) runtime.Object {
	if object, err := inTree.New(schema.GroupVersionKind{Group: api.Group, Version: version, Kind: kind}); err == nil {
		return object
	}
	return api.New(version, kind)
}

// typed decodes an object of a version.
func typed(t testing.TB, version, kind string, object []byte) runtime.Object {
	t.Helper()
	into := typeOf(version, kind)
	if err := json.Unmarshal(object, into); err != nil {
		t.Fatalf("%v\n%s", err, clip(object))
	}
	return into
}

// encode encodes an object as an API server and its clients do.
func encode(t testing.TB, object any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must.Do(t, e.Encode(object))
	return bytes.TrimSpace(b.Bytes())
}

// stored returns a random object of v1, as an API server returns it.
func stored(t testing.TB, s objects.Source, kind string) []byte {
	t.Helper()
	var object runtime.Object
	switch kind {
	case "DeviceClass":
		object = s.Class()
	case "ResourceSlice":
		object = s.Slice()
	default:
		object = s.Object("v1", kind)
		if claim, ok := object.(*v1.ResourceClaim); ok {
			claim.Status.ClaimbridgeDeallocationRequested = false
			v1.SetStatusDefaults(&claim.Status)
			v1.SetSpecDefaults(&claim.Spec)
		} else {
			v1.SetSpecDefaults(&object.(*v1.ResourceClaimTemplate).Spec.Spec)
		}
	}
	return encode(t, typed(t, "v1", kind, encode(t, object)))
}

// salted returns an object with unknown members at random places.
func salted(t testing.TB, s objects.Source, object []byte) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var tree any
	must.Do(t, d.Decode(&tree))
	salt(s, tree)
	return encode(t, tree)
}

// tables are maps, whose members are values and not fields.
var tables = map[string]bool{
	"parameters": true, "data": true, "labels": true, "annotations": true, "managedFields": true,
	"attributes": true, "capacity": true, "requests": true, "counters": true, "consumedCapacity": true,
}

func salt(s objects.Source, value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			salt(s, item)
		}
	case map[string]any:
		for name, member := range value {
			if _, isList := member.([]any); isList || !tables[name] {
				salt(s, member)
			}
		}
		if s.IntN(6) == 0 {
			value["zzLater"] = map[string]any{"n": json.Number("1.50"), "list": []any{s.IntN(9)}}
		}
	}
}

func clip(text []byte) []byte {
	if len(text) > 4000 {
		return append(bytes.Clone(text[:4000]), " ..."...)
	}
	return text
}

// client is a client of a version of a kind, in a cluster that serves another version.
type client struct{ kind, served, version string }

// clientOf returns a client of a version in a cluster that serves v1.
func clientOf(version, kind string) client { return client{kind, "v1", version} }

// read converts an object that the cluster returns.
func (c client) read(object []byte) ([]byte, error) {
	if isProjection(c.version) {
		return project(object, c.kind, c.version)
	}
	return jsonconvert.Convert(object, c.kind, c.served, c.version)
}

// write converts an object that the client writes.
func (c client) write(object []byte) ([]byte, error) {
	return jsonconvert.Convert(object, c.kind, c.version, c.served)
}

// kindsOf returns the kinds of a version that have a conversion.
func kindsOf(version string) []string {
	if isProjection(version) {
		return []string{api.KindClaim, api.KindTemplate}
	}
	return jsonconvert.Kinds()
}

// isProjection reports whether an object of a version lacks fields of the stored object. The bridge does not support
// these versions.
func isProjection(version string) bool { return !api.IsLossless(version) }

// project returns a stored object in such a version, without anything that is preserved.
func project(object []byte, kind, version string) ([]byte, error) {
	hasName := memberOf(memberOf(bytes.TrimSpace(object), "metadata"), "name") != nil
	return convertVisible(object, kind, conversion.Stored(), version, hub.Options{IsFragment: !hasName})
}

// visibleObject is a claim or a template.
type visibleObject struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Metadata   json.RawMessage `json:"metadata,omitzero"`
	Spec       json.RawMessage `json:"spec,omitzero"`
	Status     json.RawMessage `json:"status,omitzero"`
}

// templateSpec is the spec of a template.
type templateSpec struct {
	Metadata json.RawMessage `json:"metadata,omitzero"`
	Spec     json.RawMessage `json:"spec,omitzero"`
}

// convertVisible converts the visible data of an object. Data that the version cannot represent is dropped, and no
// annotation, label or field of claimbridge is added, read or removed.
func convertVisible(text []byte, kind, from, to string, o hub.Options) ([]byte, error) {
	var converted visibleObject
	if err := json.Unmarshal(text, &converted); err != nil {
		return nil, err
	}
	var template templateSpec
	spec := &converted.Spec
	if kind == api.KindTemplate {
		if err := json.Unmarshal(converted.Spec, &template); err != nil {
			return nil, err
		}
		spec = &template.Spec
	}
	claim, _, err := hub.Read(from, *spec, converted.Status)
	if err != nil {
		return nil, err
	}
	if claim, err = hub.Convert(claim, to, o); err != nil {
		return nil, err
	}
	*spec, converted.Status = partsOf(claim)
	if kind == api.KindTemplate {
		converted.Spec = objectjson.Marshal(template)
	}
	converted.APIVersion = api.Group + "/" + to
	converted.Kind = kind
	return objectjson.Marshal(converted), nil
}

// partsOf returns the spec and the status of a claim as JSON. Each is nil if the claim has none.
func partsOf(claim hub.Claim) (spec, status json.RawMessage) {
	typedSpec, typedStatus := claim.SpecAndStatus()
	if typedSpec != nil {
		spec = objectjson.Marshal(typedSpec)
	}
	if typedStatus != nil {
		status = objectjson.Marshal(typedStatus)
	}
	return spec, status
}

// otherVersions are those that v1 converts into.
var otherVersions = slices.DeleteFunc(conversion.Versions(), func(version string) bool {
	return version == conversion.Stored()
})
