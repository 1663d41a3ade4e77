package lens

import (
	"encoding/json"
	"testing"

	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"

	"github.com/claimbridge/claimbridge/api"
)

// benchmarkClaim is an allocated claim of today, as a list has thousands of them.
const benchmarkClaim = `{"metadata":{"name":"training-0","namespace":"default","uid":"8d2f4f0e-3f1a-4a53-9b0a-0d3f0d6b5a11","resourceVersion":"81234","creationTimestamp":"2026-05-01T12:00:00Z","labels":{"app":"training"},"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"training-0","uid":"1b1f2d3c-0000-4000-8000-0123456789ab","controller":true,"blockOwnerDeletion":true}],"finalizers":["resource.kubernetes.io/delete-protection"],"managedFields":[{"manager":"kube-controller-manager","operation":"Update","apiVersion":"resource.k8s.io/v1","time":"2026-05-01T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:ownerReferences":{".":{},"k:{\"uid\":\"1b1f2d3c-0000-4000-8000-0123456789ab\"}":{}}},"f:spec":{"f:devices":{"f:requests":{}}}}}]},"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu.example.com","selectors":[{"cel":{"expression":"device.attributes[\"gpu.example.com\"].model == \"A100\""}}],"allocationMode":"ExactCount","count":1}}],"config":[{"requests":["gpu"],"opaque":{"driver":"gpu.example.com","parameters":{"apiVersion":"gpu.example.com/v1","kind":"GpuConfig","sharing":{"strategy":"MPS"}}}}]}},"status":{"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"node-1","device":"gpu-0"}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["node-1"]}]}]}},"reservedFor":[{"resource":"pods","name":"training-0","uid":"1b1f2d3c-0000-4000-8000-0123456789ab"}]}}`

func BenchmarkDown(b *testing.B) {
	for _, version := range shownVersions {
		b.Run(version, func(b *testing.B) {
			l, stored, out := newLens(b, version, api.KindClaim), []byte(benchmarkClaim), []byte(nil)
			b.SetBytes(int64(len(stored)))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, err = l.Down(out[:0], stored); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	// What a server does that decodes what the cluster answers and encodes what it shows, but for the conversion between the two.
	b.Run("decoded and encoded", func(b *testing.B) {
		stored := []byte(benchmarkClaim)
		shown, err := newLens(b, "v1beta1", api.KindClaim).Down(nil, stored)
		if err != nil {
			b.Fatal(err)
		}
		var object resourcev1beta1.ResourceClaim
		if err := json.Unmarshal(shown, &object); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(stored)))
		b.ReportAllocs()
		for b.Loop() {
			var claim resourcev1.ResourceClaim
			if err := json.Unmarshal(stored, &claim); err != nil {
				b.Fatal(err)
			}
			if _, err := json.Marshal(&object); err != nil {
				b.Fatal(err)
			}
		}
	})
}
