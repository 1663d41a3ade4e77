package conversion

import (
	"os"
	"strings"
	"testing"
)

// managedFields as an API server keeps them of a claim that three managers wrote: often half of an object.
const managedFields = `"managedFields":[` +
	`{"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"resource.k8s.io/v1alpha2","time":"2024-05-01T12:00:00Z","fieldsType":"FieldsV1",` +
	`"fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}},"f:labels":{".":{},"f:app":{}}},` +
	`"f:spec":{"f:allocationMode":{},"f:parametersRef":{".":{},"f:apiGroup":{},"f:kind":{},"f:name":{}},"f:resourceClassName":{}}}},` +
	`{"manager":"gpu-driver-controller","operation":"Update","apiVersion":"resource.k8s.io/v1alpha2","time":"2024-05-01T12:00:01Z","fieldsType":"FieldsV1",` +
	`"fieldsV1":{"f:metadata":{"f:finalizers":{".":{},"v:\"gpu.example.com/deletion-protection\"":{}}}}},` +
	`{"manager":"gpu-driver-controller","operation":"Update","apiVersion":"resource.k8s.io/v1alpha2","time":"2024-05-01T12:00:02Z","fieldsType":"FieldsV1",` +
	`"fieldsV1":{"f:status":{".":{},"f:allocation":{".":{},"f:availableOnNodes":{},"f:resourceHandles":{},"f:shareable":{}},"f:driverName":{},` +
	`"f:reservedFor":{".":{},"k:{\"uid\":\"1f0c0f9e-5b0e-4a3c-8a4e-0d9f0a7b6c5d\"}":{}}}},"subresource":"status"}],`

// benchClaim is an allocated claim as it is stored; 2 KiB, or more by what its driver put into it.
func benchClaim(tb testing.TB, version string, size int) []byte {
	tb.Helper()
	text, err := os.ReadFile("../test/testdata/typical/" + version + ".json")
	if err != nil {
		tb.Fatal(err)
	}
	claim := strings.ReplaceAll(string(text), "\n", "")
	claim = strings.Replace(claim, `"metadata":{`, `"metadata":{`+managedFields, 1)
	if more := size - len(claim); more > 0 {
		claim = strings.Replace(claim, `"uid":`, `"annotations":{"gpu.example.com/note":"`+strings.Repeat("n", more)+`"},"uid":`, 1)
	}
	return []byte(claim)
}

// BenchmarkJSON converts one object over and over, for every pair of versions.
func BenchmarkJSON(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"2KiB", 2 << 10}, {"256KiB", 224 << 10}} {
		for _, from := range Versions() {
			for _, to := range Versions() {
				if from == to {
					continue
				}
				object := benchClaim(b, from, size.bytes)
				b.Run(size.name+"/"+from+"-"+to, func(b *testing.B) { benchmarkJSON(b, object, to) })
				if back, _, err := JSON(object, to, Options{}); err == nil {
					b.Run(size.name+"/"+from+"-"+to+"-back", func(b *testing.B) { benchmarkJSON(b, back, from) })
				}
			}
		}
	}
}

func benchmarkJSON(b *testing.B, object []byte, to string) {
	b.SetBytes(int64(len(object)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := JSON(object, to, Options{TrimMetadata: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead reads and writes what the conversion of an object reads and writes, by the reader that is tried first.
func BenchmarkHeader(b *testing.B) {
	object := benchClaim(b, "v1alpha1", 2<<10)
	b.SetBytes(int64(len(object)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadHeader(object); err != nil {
			b.Fatal(err)
		}
	}
}
