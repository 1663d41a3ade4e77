package main

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/resource"
)

// BenchmarkUpstream is what BenchmarkJudge of the package validation is, by the code of this release: a claim is read
// with its defaults, and judged.
func BenchmarkUpstream(b *testing.B) {
	j, err := newJudge("")
	if err != nil {
		b.Fatal(err)
	}
	version := legacyscheme.Scheme.PrioritizedVersionsForGroup(resource.GroupName)[0].Version
	object, err := os.ReadFile(filepath.Join("..", "testdata", "typical", version+".json"))
	if err != nil {
		b.Fatal(err)
	}
	for operation, name := range map[string]string{"create": "CREATE", "update": "UPDATE", "status": "UPDATE_STATUS"} { // as BenchmarkJudge calls them
		q := question{Operation: operation, Object: object}
		if operation != "create" {
			q.OldObject = object
		}
		b.Run(version+"/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if a, err := j.answer(q); err != nil || len(a.Errors) > 0 || a.Undecodable != "" {
					b.Fatalf("%+v, %v", a, err)
				}
			}
		})
	}
}

// BenchmarkUpstreamRules is the judging without the reading.
func BenchmarkUpstreamRules(b *testing.B) {
	j, err := newJudge("")
	if err != nil {
		b.Fatal(err)
	}
	version := legacyscheme.Scheme.PrioritizedVersionsForGroup(resource.GroupName)[0].Version
	object, err := os.ReadFile(filepath.Join("..", "testdata", "typical", version+".json"))
	if err != nil {
		b.Fatal(err)
	}
	claim, err := runtime.Decode(j, object)
	if err != nil {
		b.Fatal(err)
	}
	w := write{operation: "status", version: version, object: claim, old: claim}
	b.Run(version, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := w.judge(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
