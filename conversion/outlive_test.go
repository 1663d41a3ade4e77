package conversion

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a conversion returns is its caller's own: the next conversion, which reads into the same memory, does not change
// it. Nor does it change with the bytes that were converted.
func TestAnswersReportsAndErrorsOutliveTheirConversion(t *testing.T) {
	objects := []string{
		`{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","more":1,"more":2,"metadata":{"name":"first","namespace":"one","uid":"u1","annotations":{"a\u0062":"1"}},"spec":{"resourceClassName":"c","unknown":1,"parametersRef":{"kind":"K","name":"n\u0061"}},"status":{"driverName":"d.example.com"}}`,
		`{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"second","namespace":"two","annotations":{"claimbridge.dev/v1-spec":"z"}},"spec":{"devices":{"requests":[{"name":"r","deviceClassName":"c"}],"config":[{"opaque":{"driver":"d.example.com","parameters":{"a":"\u0062"}}}]}},"status":{"allocation":{}}}`,
		`{"apiVersion":"other.example.com/v9","kind":"ResourceClaim","metadata":{"name":"third"}}`,
		`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"Pod","metadata":{"name":"fourth"}}`,
		`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"fifth"},"spec":{"resourceClassName":5}}`,
		`{"apiVersion":"resource.k8s.io/v1alpha1","kind":"ResourceClaim","metadata":{"name":"sixth","labels":{"x":1}}}`,
	}
	type result struct {
		out                                       []byte
		report                                    Report
		err                                       error
		header                                    Header
		findings                                  []Finding
		outWas, reportWas, errWas, headerWas, was string
	}
	var results []result
	for range 3 {
		for _, object := range objects {
			for _, to := range Versions() {
				for _, strict := range []bool{false, true} {
					given := []byte(object)
					var r result
					r.out, r.report, r.err = JSON(given, to, Options{Strict: strict})
					r.header, _ = ReadHeader(given)
					r.findings, _ = Inspect(given)
					r.outWas, r.reportWas, r.headerWas, r.was = string(r.out), fmt.Sprintf("%q", r.report), fmt.Sprintf("%q", r.header), fmt.Sprintf("%q", r.findings)
					r.errWas = describe(r.err)
					clear(given)
					results = append(results, r)
				}
			}
		}
	}
	for _, r := range results {
		got := []string{string(r.out), fmt.Sprintf("%q", r.report), describe(r.err), fmt.Sprintf("%q", r.header), fmt.Sprintf("%q", r.findings)}
		if diff := cmp.Diff([]string{r.outWas, r.reportWas, r.errWas, r.headerWas, r.was}, got); diff != "" {
			t.Errorf("(-was +is):\n%s", diff)
		}
	}
}

func describe(err error) string {
	var rich *Error
	if errors.As(err, &rich) {
		return fmt.Sprintf("%q %q %v", rich.Header, rich.Field, err)
	}
	return fmt.Sprint(err)
}
