package main

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
)

// BenchmarkValidate is that of the package validation, by the code of this release: a claim is read
// with its defaults, and validated; then validated without the reading.
func BenchmarkValidate(b *testing.B) {
	j, err := newValidator("")
	if err != nil {
		b.Fatal(err)
	}
	for _, version := range versions() {
		object := typical(b, version)
		for operation, name := range map[string]string{
			"create": "CREATE", "update": "UPDATE", "status": "UPDATE_STATUS",
		} {
			q := question{Operation: operation, Object: object}
			if operation != "create" {
				q.OldObject = object
			}
			b.Run("version="+version+"/do="+name+"/by=upstream", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if a, err := j.answer(q); err != nil || len(a.Errors) > 0 || a.Undecodable != "" {
						b.Fatalf("%+v, %v", a, err)
					}
				}
			})
		}
		claim, err := runtime.Decode(j, object)
		if err != nil {
			b.Fatal(err)
		}
		w := write{operation: "status", version: version, object: claim, old: claim}
		b.Run("version="+version+"/do=rules/by=upstream", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := w.validate(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// versions in which the release has claims; the group has other kinds in others.
func versions() (names []string) {
	for _, version := range legacyscheme.Scheme.PrioritizedVersionsForGroup(resource.GroupName) {
		if legacyscheme.Scheme.Recognizes(version.WithKind("ResourceClaim")) {
			names = append(names, version.Version)
		}
	}
	return names
}

// typical is the claim that is validated.
func typical(b *testing.B, version string) []byte {
	b.Helper()
	object, err := os.ReadFile(filepath.Join("..", "testdata", "typical", version+".json"))
	if err != nil {
		b.Fatal(err)
	}
	return object
}
