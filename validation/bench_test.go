package validation

import (
	"os"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// typical is a claim of one device, allocated, with a consumer. Upstream's benchmark reads the same file.
func typical(b testing.TB, version string) []byte {
	b.Helper()
	return must.Get(os.ReadFile("../test/testdata/typical/" + version + ".json"))(b)
}

// BenchmarkValidate measures a complete validation, including reading the objects and the stored version, and
// upstream's rules alone. test/upstream has the same benchmark with Kubernetes' own code.
func BenchmarkValidate(b *testing.B) {
	for _, version := range conversion.Versions() {
		object := typical(b, version)
		for _, r := range []Request{
			{Operation: Create, Object: object},
			{Operation: Update, OldObject: object, Object: object},
			{Operation: UpdateStatus, OldObject: object, Object: object},
		} {
			b.Run("version="+version+"/do="+string(r.Operation)+"/by=claimbridge", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if result, err := Validate(b.Context(), r); err != nil || len(result.Errors) > 0 {
						b.Fatalf("%v, %v", formatErrors(result.Errors), err)
					}
				}
			})
		}
		in := must.Get(read(Request{Operation: UpdateStatus, OldObject: object, Object: object}))(b)
		b.Run("version="+version+"/do=rules/by=claimbridge", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if errs := checkRules(rulesByRelease()[in.release], in, in.upstreamOperations()); len(errs) > 0 {
					b.Fatal(formatErrors(errs))
				}
			}
		})
	}
}
