package conversion

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// big is a claim of v1alpha3 whose spec needs about so many bytes of leftover.
func big(bytes int) *v1alpha3.ResourceClaim {
	c := &v1alpha3.ResourceClaim{}
	c.APIVersion, c.Kind = "resource.k8s.io/v1alpha3", "ResourceClaim"
	c.Namespace, c.Name, c.UID = "default", "big", "1"
	c.Spec.Devices.Requests = []v1alpha3.DeviceRequest{{Name: "gpu", DeviceClassName: "gpu.example.com", AllocationMode: "ExactCount", Count: 1}}
	entry := entryFrom("", "gpu.example.com", `{"pad":"`+strings.Repeat("x", bytes)+`"}`)
	c.Spec.Devices.Config = []v1alpha3.DeviceClaimConfiguration{{DeviceConfiguration: entry.DeviceConfiguration}}
	return c
}

// The limit is exact: what fits beside the user's own annotations is carried, one byte more is not, and either way the
// object reads and the API server's own check passes.
func TestAnnotationsNeverExceedTheLimit(t *testing.T) {
	fits, _ := must.Get2(JSON(encode(big(1000)), "v1alpha1", Options{}))(t)
	o := readObject(t, fits).object
	const limit = 262144 // of kube-apiserver, for all keys and values
	room := limit - o.Metadata.Annotations.Size()
	for _, test := range []struct {
		user int // bytes of the user's own annotation, key and value
		want string
	}{{room - 1, ""}, {room, ""}, {room + 1, "spec"}, {limit, "spec"}} {
		c := big(1000)
		c.Annotations = map[string]string{"k": strings.Repeat("y", test.user-1)}
		out, report := must.Get2(JSON(encode(c), "v1alpha1", Options{}))(t)
		if report.Incomplete != test.want {
			t.Errorf("%d: incomplete %q, want %q", test.user-room, report.Incomplete, test.want)
		}
		o := readObject(t, out).object
		if size := o.Metadata.Annotations.Size(); size > limit {
			t.Errorf("%d: annotations have %d bytes", test.user-room, size)
		}
		if label, _ := o.Metadata.Labels.Get(leftover.LabelIncomplete); label != test.want {
			t.Errorf("%d: label %q, want %q", test.user-room, label, test.want)
		}
		if got := len(metaOf(typed(t, out)).Annotations["k"]); got != test.user-1 {
			t.Errorf("%d: the user's annotation has %d bytes, want %d", test.user-room, got, test.user-1)
		}
	}
}

// What does not fit still reads in every version; what must not be written back is refused, and says what to do.
func TestIncompleteCopies(t *testing.T) {
	stored := big(300_000)
	allocated := stored.DeepCopy()
	allocated.Status.Allocation = &v1alpha3.AllocationResult{Devices: v1alpha3.DeviceAllocationResult{
		Results: []v1alpha3.DeviceRequestAllocationResult{{Request: "gpu", Driver: "gpu.example.com", Pool: "a/b", Device: "gpu-0"}},
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
		stored  *v1alpha3.ResourceClaim
		files   bool // as the command line converts: no field
		label   string
		change  func(runtime.Object)
		refused bool
	}{
		"spec, written back":                      {stored: stored, label: "spec", refused: true},
		"spec, being deleted":                     {stored: stored, label: "spec", change: deleting},
		"spec and status, written back":           {stored: allocated, label: "both", refused: true},
		"spec and status, allocation cleared":     {stored: allocated, label: "both", change: withoutStatus, refused: true},
		"status, written back, with the field":    {stored: plainSpec, label: "status"},
		"status, written back, field dropped":     {stored: plainSpec, label: "status", change: fieldDropped, refused: true},
		"status, field dropped and deallocated":   {stored: plainSpec, label: "status", change: withoutStatus},
		"status, from a file, written back":       {stored: plainSpec, files: true, label: "status", refused: true},
		"status, from a file, and deallocated":    {stored: plainSpec, files: true, label: "status", change: withoutStatus},
		"status, from a file, that is deleted":    {stored: plainSpec, files: true, label: "status", change: deleting},
		"spec and status, from a file, unchanged": {stored: allocated, files: true, label: "both", refused: true},
	}
	for name, test := range tests {
		for _, version := range []string{"v1alpha1", "v1alpha2"} {
			t.Run(name+" "+version, func(t *testing.T) {
				options := Options{AnnotationsOnly: test.files}
				down, report := must.Get2(JSON(encode(test.stored), version, options))(t)
				if report.Incomplete != test.label {
					t.Fatalf("incomplete %q, want %q", report.Incomplete, test.label)
				}
				copied := typed(t, down)
				if test.change != nil {
					test.change(copied)
				}
				up, _, err := JSON(encode(copied), Stored(), options)
				if (err != nil) != test.refused {
					t.Fatalf("error %v, want one: %v", err, test.refused)
				}
				if !test.refused {
					if meta := metaOf(typed(t, up)); meta.Labels[leftover.LabelIncomplete] != "" || meta.Labels[leftover.LabelIncompleteSize] != "" {
						t.Errorf("labels of ours are stored: %v", meta.Labels)
					}
					return
				}
				if !errors.Is(err, ErrIncomplete) {
					t.Errorf("%v is not ErrIncomplete", err)
				}
				for _, part := range []string{"ResourceClaim default/big", version + " to " + Stored(), "262144 bytes", "write the object through " + Stored()} {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%q does not say %q", err, part)
					}
				}
				var bytes int
				if _, after, ok := strings.Cut(err.Error(), "("); ok {
					_, _ = fmt.Sscanf(after, "%d bytes", &bytes)
				}
				if bytes < 262144-2000 {
					t.Errorf("%q does not say how much was left out", err)
				}
			})
		}
	}
}

// A claim that an old controller makes from an incomplete template is refused too: the label is copied with the rest.
func TestIncompleteTemplatesAreNotInstantiated(t *testing.T) {
	template := &v1alpha3.ResourceClaimTemplate{}
	template.APIVersion, template.Kind, template.Name = "resource.k8s.io/v1alpha3", "ResourceClaimTemplate", "t"
	template.Spec.Spec = big(300_000).Spec
	down, report, err := JSON(encode(template), "v1alpha2", Options{})
	if err != nil || report.Incomplete != "spec" {
		t.Fatalf("incomplete %q, error %v", report.Incomplete, err)
	}
	copied := typed(t, down).(*v1alpha2.ResourceClaimTemplate)
	claim := &v1alpha2.ResourceClaim{ObjectMeta: *copied.Spec.ObjectMeta.DeepCopy(), Spec: copied.Spec.Spec}
	claim.Name = "made"
	if err := Convert(claim, &v1alpha3.ResourceClaim{}); !errors.Is(err, ErrIncomplete) {
		t.Errorf("error %v", err)
	}
}

func deleting(o runtime.Object) {
	now := metav1Now
	metaOf(o).DeletionTimestamp = &now
}

func fieldDropped(o runtime.Object) { withoutField(o) }
