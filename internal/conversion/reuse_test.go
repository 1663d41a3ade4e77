package conversion

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/objects"
)

// The result of a conversion shares no memory with later conversions or the input. The inputs have unknown fields,
// invalid values and escapes, which reports and errors contain.
func TestResultsOutliveTheConversion(t *testing.T) {
	type result struct {
		object string
		out    []byte
		said   func() string
		then   string
	}
	var kept []result
	keep := func(object string, out []byte, said func() string) {
		kept = append(kept, result{object, out, said, said()})
	}
	convert := func(object []byte) {
		for _, to := range Versions() {
			for _, strict := range []bool{false, true} {
				out, report, err := ConvertJSON(object, to, Options{Strict: strict})
				keep(string(object), out, func() string { return fmt.Sprintf("%s %+v %s", out, report, describe(err)) })
			}
		}
		findings, err := inspect(object)
		keep(string(object), nil, func() string { return fmt.Sprintf("%+v %v", findings, err) })
		explained, unexplained := Explain(object, "v1alpha2")
		keep(string(object), nil, func() string { return fmt.Sprintf("%+v %v", explained, unexplained) })
		header, unread := ReadHeader(object)
		keep(string(object), nil, func() string { return fmt.Sprintf("%+v %v", header, unread) })
		clear(object)
	}
	splices := []string{
		`"spec":{"stranger%d":1,"\u0073tranger":2,`, `"spec":{"devices":{"requests":[{"stranger%d":"\n"}]},`,
		`"status":{"driverName":%d,`, `"metadata":{"labels":{"a":%d},`, `"spec":7,"other%d":{`,
	}
	source := objects.New(objects.Seed(t))
	for i := range 600 {
		version, kind := versions[i%len(versions)], objects.Kinds[i/len(versions)%2]
		object := string(encode(source.Object(version, kind)))
		convert([]byte(object))
		for _, splice := range splices {
			begin, _, _ := strings.Cut(splice, "{")
			convert([]byte(strings.Replace(object, begin+"{", strings.ReplaceAll(splice, "%d", fmt.Sprint(i)), 1)))
		}
		convert([]byte(strings.Replace(object, `"spec":`, fmt.Sprintf(`"other%d":1,"\u006fther":2,"spec":`, i), 1)))
		convert([]byte(strings.Replace(object, `/v1alpha`, fmt.Sprintf(`/v%dalpha`, i+2), 1)))
		convert([]byte(strings.Replace(object, `"ResourceClaim`, fmt.Sprintf(`"Re\u0073ource%d`, i), 1)))
	}
	for _, r := range kept {
		if now := r.said(); now != r.then {
			t.Fatalf("of %.2000s\nwas %.2000s\nis  %.2000s", r.object, r.then, now)
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
