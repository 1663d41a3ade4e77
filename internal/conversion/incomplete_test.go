package conversion

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// big returns a claim of v1alpha3 whose preserved spec has about that many bytes.
func big(bytes int) *v1alpha3.ResourceClaim {
	c := &v1alpha3.ResourceClaim{}
	c.APIVersion, c.Kind = "resource.k8s.io/v1alpha3", "ResourceClaim"
	c.Namespace, c.Name, c.UID = "default", "big", "1"
	c.Spec.Devices.Requests = []v1alpha3.DeviceRequest{
		{Name: "gpu", DeviceClassName: "gpu.example.com", AllocationMode: "ExactCount", Count: 1},
	}
	entry := entryFrom("", "gpu.example.com", `{"pad":"`+strings.Repeat("x", bytes)+`"}`)
	c.Spec.Devices.Config = []v1alpha3.DeviceClaimConfiguration{{DeviceConfiguration: entry.DeviceConfiguration}}
	return c
}

// The limit is exact: data that fits next to the user's annotations is preserved, and one byte more is not. In both
// cases, the object can be read and passes the check of the API server.
func TestAnnotationsNeverExceedTheLimit(t *testing.T) {
	fits, _ := must.Get2(ConvertJSON(encode(big(1000)), "v1alpha1", Options{}))(t)
	o := parsedObject(t, fits)
	const limit = 262144 // of kube-apiserver, for all keys and values
	room := limit - o.Metadata.Annotations.Size()
	for _, test := range []struct {
		user int // bytes of the user's annotation, key and value
		want string
	}{{room - 1, ""}, {room, ""}, {room + 1, "spec"}, {limit, "spec"}} {
		c := big(1000)
		c.Annotations = map[string]string{"k": strings.Repeat("y", test.user-1)}
		out, report := must.Get2(ConvertJSON(encode(c), "v1alpha1", Options{}))(t)
		if report.Incomplete != test.want {
			t.Errorf("%d: incomplete %q, want %q", test.user-room, report.Incomplete, test.want)
		}
		o := parsedObject(t, out)
		if size := o.Metadata.Annotations.Size(); size > limit {
			t.Errorf("%d: annotations have %d bytes", test.user-room, size)
		}
		if label, _ := o.Metadata.Labels.Get(preserve.IncompleteLabel); label != test.want {
			t.Errorf("%d: label %q, want %q", test.user-room, label, test.want)
		}
		if got := len(metaOf(decodeTyped(t, out)).Annotations["k"]); got != test.user-1 {
			t.Errorf("%d: the user's annotation has %d bytes, want %d", test.user-room, got, test.user-1)
		}
	}
}

// An incomplete copy can be read in every version. A write that would lose data is rejected with a remedy.
func TestIncompleteCopies(t *testing.T) {
	stored := big(300_000)
	allocated := stored.DeepCopy()
	allocated.Status.Allocation = &v1alpha3.AllocationResult{Devices: v1alpha3.DeviceAllocationResult{
		Results: []v1alpha3.DeviceRequestAllocationResult{
			{Request: "gpu", Driver: "gpu.example.com", Pool: "a/b", Device: "gpu-0"},
		},
		Config: []v1alpha3.DeviceAllocationConfiguration{
			{Source: "FromClaim", DeviceConfiguration: stored.Spec.Devices.Config[0].DeviceConfiguration},
			{Source: "FromClaim", DeviceConfiguration: stored.Spec.Devices.Config[0].DeviceConfiguration},
		},
	}}
	plainSpec := allocated.DeepCopy()
	plainSpec.Spec = v1alpha3.ResourceClaimSpec{Devices: v1alpha3.DeviceClaim{Requests: []v1alpha3.DeviceRequest{
		{Name: "claim", DeviceClassName: "gpu.example.com", AllocationMode: "ExactCount", Count: 1},
	}}}
	plainSpec.Status.Allocation.Devices.Results[0].Request = "claim"

	tests := map[string]struct {
		stored     *v1alpha3.ResourceClaim
		files      bool // as the command line converts: no field
		label      string
		change     func(runtime.Object)
		isRejected bool
		lossy      bool // the written object lacks the same data as the copy
	}{
		"spec, written back":  {stored: stored, label: "spec"},
		"spec, field dropped": {stored: stored, label: "spec", change: removePreservedField, isRejected: true},
		"spec, without status": {
			stored: stored, label: "spec", change: removeStatus, isRejected: true,
		},
		"spec, other labels": {stored: stored, label: "spec", change: otherLabels},
		"spec, other labels and annotations": {
			stored: stored, label: "spec", change: otherMetadata, isRejected: true,
		},
		"spec, other digest":            {stored: stored, label: "spec", change: otherDigest, isRejected: true},
		"spec, other spec in the field": {stored: stored, label: "spec", change: otherSpec, isRejected: true},
		"spec, while deleted":           {stored: stored, label: "spec", change: deleting},
		"spec, while deleted, field dropped": {
			stored: stored, label: "spec", change: deletingFieldDropped, isRejected: true,
		},
		"spec, while deleted, other labels": {stored: stored, label: "spec", change: deletingOtherLabels},
		"spec, while deleted, other metadata": {
			stored: stored, label: "spec", change: deletingOtherMetadata, isRejected: true,
		},
		"spec, deleted by the write":    {stored: stored, label: "spec", change: deletedByWrite, lossy: true},
		"spec and status, written back": {stored: allocated, label: "both"},
		"spec and status, field dropped": {
			stored: allocated, label: "both", change: removePreservedField, isRejected: true,
		},
		"spec and status, allocation cleared": {
			stored: allocated, label: "both", change: removeStatus, isRejected: true,
		},
		"status, written back, with the field": {stored: plainSpec, label: "status"},
		"status, other labels":                 {stored: plainSpec, label: "status", change: otherLabels},
		"status, written back, field dropped": {
			stored: plainSpec, label: "status", change: removePreservedField, isRejected: true,
		},
		"status, while deleted, field dropped": {
			stored: plainSpec, label: "status", change: deletingFieldDropped, isRejected: true,
		},
		"status, field dropped and deallocated": {
			stored: plainSpec, label: "status", change: removeStatus, lossy: true,
		},
		"status, from a file, written back": {stored: plainSpec, files: true, label: "status", isRejected: true},
		"status, from a file, and deallocated": {
			stored: plainSpec, files: true, label: "status", change: removeStatus, lossy: true,
		},
		"status, from a file, that is deleted": {
			stored: plainSpec, files: true, label: "status", change: deletedByWrite, lossy: true,
		},
		"spec, from a file, written back": {stored: stored, files: true, label: "spec", isRejected: true},
		"spec, from a file, while deleted": {
			stored: stored, files: true, label: "spec", change: deleting, isRejected: true,
		},
		"spec and status, from a file, unchanged": {stored: allocated, files: true, label: "both", isRejected: true},
	}
	for name, test := range tests {
		for _, version := range []string{"v1alpha1", "v1alpha2"} {
			t.Run(name+" "+version, func(t *testing.T) {
				options := Options{Manifest: test.files}
				down, report := must.Get2(ConvertJSON(encode(test.stored), version, options))(t)
				if report.Incomplete != test.label {
					t.Fatalf("incomplete %q, want %q", report.Incomplete, test.label)
				}
				copied := decodeTyped(t, down)
				if test.change != nil {
					test.change(copied)
				}
				up, _, err := ConvertJSON(encode(copied), Stored(), options)
				if (err != nil) != test.isRejected {
					t.Fatalf("error %v, want one: %v", err, test.isRejected)
				}
				if !test.isRejected {
					meta := metaOf(decodeTyped(t, up))
					if meta.Labels[preserve.IncompleteLabel] != "" || meta.Labels[preserve.IncompleteBytesLabel] != "" {
						t.Errorf("labels of claimbridge are stored: %v", meta.Labels)
					}
					before, _ := must.Get2(ConvertJSON(encode(test.stored), Stored(), options))(t)
					isKept := sameMember(before, up, "spec") && sameMember(before, up, "status")
					if isKept == test.lossy {
						t.Errorf("spec and status are kept: %v; it came back as %.1000s", isKept, up)
					}
					return
				}
				if !errors.Is(err, ErrIncomplete) {
					t.Errorf("%v is not ErrIncomplete", err)
				}
				for _, part := range []string{
					"ResourceClaim default/big", version + " to " + Stored(), "262144 bytes",
					"update the object through " + Stored(),
				} {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%q does not say %q", err, part)
					}
				}
				var bytes int
				if _, after, ok := strings.Cut(err.Error(), "did not fit into the annotations ("); ok {
					_, _ = fmt.Sscanf(after, "%d bytes", &bytes)
				}
				if bytes < 262144-2000 {
					t.Errorf("%q does not say how much was left out", err)
				}
			})
		}
	}
}

func sameMember(a, b []byte, name string) bool {
	return Equal(objectjson.Get(readMembers(a), name), objectjson.Get(readMembers(b), name))
}

func readMembers(object []byte) []objectjson.Member {
	members, _, _ := objectjson.Members(object)
	return members
}

// A claim without a status gets one in a copy if the spec does not fit into annotations, and loses it when the copy is
// written.
func TestSpecOfAClaimWithoutStatusIsKept(t *testing.T) {
	stored := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","uid":"u"%s},` +
		`"spec":{"devices":` +
		`{"requests":[{"name":"gpu","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1,` +
		`"selectors":` +
		`[{"cel":{"expression":"` + strings.Repeat("y", 300_000) + `"}}],"capacity":{"requests":{"m":"1024Mi"}}}}]}}%s}`
	for _, version := range []string{"v1alpha1", "v1alpha2", "v1alpha3"} {
		for _, status := range []string{
			"",
			`,"status":{}`,
			`,"status":{"reservedFor":[{"resource":"pods","name":"p","uid":"1"}]}`,
		} {
			object := fmt.Sprintf(stored, "", status)
			down, report := converted(t, []byte(object), version, Options{})
			if report.Incomplete != "spec" {
				t.Fatalf("%s: incomplete %q", version, report.Incomplete)
			}
			if up, _ := converted(t, down, Stored(), Options{}); string(up) != object {
				t.Errorf("%s: came back as %.1000s", version, up)
			}
			for _, metadata := range []string{"", `"metadata":{"labels":{"app":"x"},"name":"a"},`} {
				// of server-side apply
				fragment := regexp.MustCompile(`"metadata":\{.*?\},"spec"`).ReplaceAll(down, []byte(metadata+`"spec"`))
				if up, _ := converted(t, fragment, Stored(), Options{}); !sameMember(up, []byte(object), "spec") {
					t.Errorf("%s, a fragment with %q: came back as %.1000s", version, metadata, up)
				}
			}
			copied := decodeTyped(t, down)
			metaOf(copied).Labels["app"] = "x"
			up, _ := converted(t, encode(copied), Stored(), Options{})
			want := fmt.Sprintf(stored, `,"labels":{"app":"x"}`, status)
			if !sameMember(up, []byte(want), "spec") || !sameMember(up, []byte(want), "status") {
				t.Errorf("%s, labeled: came back as %.1000s", version, up)
			}
		}
	}
}

// The annotations that a template has for its claims have no limit, so no copy of a template in a
// cluster is incomplete.
func TestTemplatesAreNeverIncomplete(t *testing.T) {
	template := &v1alpha3.ResourceClaimTemplate{}
	template.APIVersion, template.Kind, template.Name = "resource.k8s.io/v1alpha3", "ResourceClaimTemplate", "t"
	template.Spec.Spec = big(300_000).Spec
	template.Spec.Annotations = map[string]string{"k": strings.Repeat("y", 262_000)}
	want, _ := converted(t, encode(template), Stored(), Options{})
	for _, version := range []string{"v1alpha1", "v1alpha2"} {
		down, report := converted(t, encode(template), version, Options{})
		if report.Incomplete != "" {
			t.Errorf("%s: incomplete %q", version, report.Incomplete)
		}
		copied := decodeTyped(t, down)
		metaOf(copied).Labels = map[string]string{"app": "x"}
		deleting(copied)
		if up, _ := converted(t, encode(copied), Stored(), Options{}); !sameMember(up, want, "spec") {
			t.Errorf("%s: came back as %.1000s", version, up)
		}
	}
}

// A claim that an old controller creates from an incomplete template, such as a file, is rejected too, because the
// label is copied.
func TestIncompleteTemplatesAreNotInstantiated(t *testing.T) {
	template := &v1alpha3.ResourceClaimTemplate{}
	template.APIVersion, template.Kind, template.Name = "resource.k8s.io/v1alpha3", "ResourceClaimTemplate", "t"
	template.Spec.Spec = big(300_000).Spec
	down, report, err := ConvertJSON(encode(template), "v1alpha2", Options{Manifest: true})
	if err != nil || report.Incomplete != "spec" {
		t.Fatalf("incomplete %q, error %v", report.Incomplete, err)
	}
	copied := decodeTyped(t, down).(*v1alpha2.ResourceClaimTemplate)
	claim := &v1alpha2.ResourceClaim{ObjectMeta: *copied.Spec.ObjectMeta.DeepCopy(), Spec: copied.Spec.Spec}
	claim.Name = "made"
	if err := Convert(claim, &v1alpha3.ResourceClaim{}); !errors.Is(err, ErrIncomplete) {
		t.Errorf("error %v", err)
	}
}

func deleting(o runtime.Object) {
	now := metav1Now
	metaOf(o).DeletionTimestamp = &now
	metaOf(o).Finalizers = []string{"resource.kubernetes.io/delete-protection"}
}

// deletedByWrite removes the last finalizer, and all labels with it.
func deletedByWrite(o runtime.Object) {
	deleting(o)
	removePreservedField(o)
	metaOf(o).Finalizers = nil
	metaOf(o).Labels = nil
}

func deletingFieldDropped(o runtime.Object) {
	deleting(o)
	removePreservedField(o)
}

func deletingOtherLabels(o runtime.Object) {
	deleting(o)
	otherLabels(o)
}

// otherLabels writes the labels of a client that replaces all labels.
func otherLabels(o runtime.Object) { metaOf(o).Labels = map[string]string{"app": "x"} }

func otherMetadata(o runtime.Object) {
	otherLabels(o)
	metaOf(o).Annotations = nil
}

func deletingOtherMetadata(o runtime.Object) {
	deleting(o)
	otherMetadata(o)
}

func otherDigest(o runtime.Object) {
	metaOf(o).Labels[preserve.IncompleteDigest] = strings.Repeat("0", 56)
	metaOf(o).Annotations[preserve.IncompleteDigest] = strings.Repeat("0", 56)
}

// otherSpec forges a spec as a client that may write only the status could try.
func otherSpec(o runtime.Object) {
	field := preservedField(o)
	*field = strings.Replace(*field, "gpu.example.com", "evil.example.com", 1)
}

// The size of the missing data is unknown if a client set the label itself.
func TestLabelOfAnIncompleteCopySetByAClient(t *testing.T) {
	claim := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a","uid":"u",` +
		`"labels":{"claimbridge.dev/incomplete":"spec"}},"spec":{"resourceClassName":"c"}}`
	_, _, err := ConvertJSON([]byte(claim), Stored(), Options{})
	if !errors.Is(err, ErrIncomplete) {
		t.Fatalf("got error %v, want %v", err, ErrIncomplete)
	}
	want := "the v1 spec did not fit into the annotations: update the object through v1"
	if !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %q, want the suffix %q", err, want)
	}
}
