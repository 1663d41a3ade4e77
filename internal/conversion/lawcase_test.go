package conversion

import (
	"bytes"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// lawCase is one object that the laws are tried on.
type lawCase struct {
	*testing.T
	objects.Source
	object   []byte
	kind     string
	from, to string
	// options of the conversions: as the server uses them, or as the command line does.
	options Options
	// native is set when the object was made in from, and not in another version and converted.
	native bool
	// there is the object in the version to.
	there  []byte
	report Report
}

// count of objects of each kind for tests that try one version after the other.
func count(t *testing.T) int {
	t.Helper()
	return objects.Count(t, "CLAIMBRIDGE_OBJECTS", 2500)
}

// countOfPair is as many of each kind for each ordered pair of versions, so that all pairs together
// have twelve times as many: a version more makes no test longer.
func countOfPair(t *testing.T) int {
	t.Helper()
	pairs := len(Versions()) * (len(Versions()) - 1)
	return max(10, count(t)*6/pairs)
}

// undefaulted takes out of an object's text what defaults set, as people leave it out.
var undefaulted = strings.NewReplacer(`,"allocationMode":"ExactCount","count":1`, "", `,"allocationMode":"ExactCount"`,
	"",
	`,"allocationMode":"WaitForFirstConsumer"`, "", `,"operator":"Equal"`, "")

// trials runs laws over generated objects of every kind and every ordered pair of versions. Every fifth object was
// made in some version and converted, so that objects of mixed origin are tried too.
func trials(t *testing.T, try func(*lawCase)) {
	t.Helper()
	first := objects.Seed(t)
	for _, from := range Versions() {
		for _, to := range Versions() {
			if from == to {
				continue
			}
			for _, kind := range objects.Kinds {
				t.Run(from+" to "+to+" "+kind, func(t *testing.T) {
					t.Parallel()
					source := objects.New(first)
					for i := range countOfPair(t) {
						version := from
						if i%5 == 4 {
							version = Versions()[i/5%len(Versions())]
						}
						c := &lawCase{T: t, Source: source, kind: kind, from: from, to: to, native: version == from}
						c.options = Options{Strict: true, AnnotationsOnly: i%2 == 1}
						object := source.Object(version, kind)
						if c.options.AnnotationsOnly { // it would be lost, which is tested by itself
							withoutRequest(object)
						}
						if i%7 == 3 {
							deallocate(object)
						}
						text := encode(normal(object)) // as an API server stores it; a file lacks defaults
						if i%3 == 0 {
							text = []byte(undefaulted.Replace(string(text)))
						}
						c.object = c.convert(text, from)
						c.try(try, i)
					}
				})
			}
		}
	}
}

// encode writes a value of the API.
func encode(v any) []byte {
	return objectjson.Marshal(v)
}

// parsedObject reads an object.
func parsedObject(t interface {
	Helper()
	Fatal(args ...any)
}, text []byte,
) *object {
	t.Helper()
	obj, err := readObject(text)
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

func (c *lawCase) try(try func(*lawCase), i int) {
	c.Helper()
	var err error
	c.there, c.report, err = JSON(c.object, c.to, c.options)
	if err != nil {
		c.Fatal(err)
	}
	try(c)
	if c.Failed() {
		c.Fatalf("object %d with %+v:\n%s\nthere:\n%s", i, c.options, clip(c.object), clip(c.there))
	}
}

func clip(text []byte) []byte {
	if len(text) > 5000 {
		return append(bytes.Clone(text[:5000]), " ..."...)
	}
	return text
}

func (c *lawCase) convert(object []byte, to string) []byte {
	c.Helper()
	out, _, err := JSON(object, to, c.options)
	if err != nil {
		c.Fatalf("to %s: %v\n%s", to, err, clip(object))
	}
	return out
}

// equal compares two objects as an API server would store them.
func (c *lawCase) equal(what string, got, want []byte) {
	c.Helper()
	if bytes.Equal(got, want) {
		return
	}
	text := func(object []byte) string {
		return string(objectjson.CanonicalWithDigits(encode(normal(c.typed(object)))))
	}
	g, w := text(got), text(want)
	if g == w {
		return
	}
	at := 0
	for at < min(len(g), len(w)) && g[at] == w[at] {
		at++
	}
	around := func(s string) string { return s[max(0, at-200):min(len(s), at+300)] }
	c.Errorf("%s, at byte %d:\n got ...%s\nwant ...%s", what, at, around(g), around(w))
}

func (c *lawCase) typed(object []byte) runtime.Object {
	c.Helper()
	return typed(c.T, object)
}

// typed decodes an object of any version.
func typed(t *testing.T, object []byte) runtime.Object {
	t.Helper()
	h := must.Get(ReadHeader(object))(t)
	into := api.New(h.Version, h.Kind)
	if into == nil {
		t.Fatalf("no type for %+v", h)
	}
	if unknown, err := Decode(object, into); err != nil || len(unknown) > 0 {
		t.Fatalf("unknown %v, error %v in\n%s", unknown, err, clip(object))
	}
	return into
}

// bare is an object without anything of ours that travels beside it.
func (c *lawCase) bare(object []byte) []byte {
	c.Helper()
	o := c.typed(object)
	withoutField(o)
	metas := []*metav1.ObjectMeta{metaOf(o)}
	if t := part[metav1.ObjectMeta](o, "Spec", "ObjectMeta"); t != nil {
		metas = append(metas, t)
	}
	for _, meta := range metas {
		for key := range meta.Annotations {
			if preserve.IsAnnotation(key) {
				delete(meta.Annotations, key)
			}
		}
		delete(meta.Labels, preserve.IncompleteLabel)
		delete(meta.Labels, preserve.IncompleteBytesLabel)
	}
	return encode(o)
}

func metaOf(o runtime.Object) *metav1.ObjectMeta {
	return o.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}
