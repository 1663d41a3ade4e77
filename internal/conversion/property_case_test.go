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

// propertyCase is one object whose properties are checked.
type propertyCase struct {
	*testing.T
	objects.Source
	object   []byte
	kind     string
	from, to string
	// options are the options of the server or of the command line.
	options Options
	// isOriginal is set if the object was generated in from, and not converted from another version.
	isOriginal bool
	// output is the object in the version to.
	output []byte
	report Report
}

// count returns the number of objects of each kind for tests of single versions.
func count(t *testing.T) int {
	t.Helper()
	return objects.Count(t, "CLAIMBRIDGE_OBJECTS", 2500)
}

// countOfPair returns the number of objects of each kind for each ordered pair of versions. All pairs together have six
// times count for each of the two kinds, so that another version does not make the test longer.
func countOfPair(t *testing.T) int {
	t.Helper()
	pairs := len(Versions()) * (len(Versions()) - 1)
	return max(10, count(t)*6/pairs)
}

// removeDefaults removes default values from the text of an object, as users omit them.
var removeDefaults = strings.NewReplacer(
	`,"allocationMode":"ExactCount","count":1`, "",
	`,"allocationMode":"ExactCount"`, "",
	`,"allocationMode":"WaitForFirstConsumer"`, "",
	`,"operator":"Equal"`, "",
)

// forEachCase runs a check with generated objects of every kind and every ordered pair of versions. Every fifth object
// is generated in a third version and converted.
func forEachCase(t *testing.T, try func(*propertyCase)) {
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
						c := &propertyCase{
							T: t, Source: source, kind: kind, from: from, to: to, isOriginal: version == from,
							options: Options{Strict: true, Manifest: i%2 == 1},
						}
						object := source.Object(version, kind)
						if c.options.Manifest { // it would be lost, which other tests check
							removeDeallocationRequest(object)
						}
						if i%7 == 3 {
							deallocate(object)
						}
						text := encode(withDefaults(object)) // as an API server stores it; a file lacks defaults
						if i%3 == 0 {
							text = []byte(removeDefaults.Replace(string(text)))
						}
						c.object = c.convert(text, from)
						c.try(try, i)
					}
				})
			}
		}
	}
}

// encode returns a value of the API as JSON.
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

func (c *propertyCase) try(try func(*propertyCase), i int) {
	c.Helper()
	var err error
	c.output, c.report, err = ConvertJSON(c.object, c.to, c.options)
	if err != nil {
		c.Fatal(err)
	}
	try(c)
	if c.Failed() {
		c.Fatalf("object %d with %+v:\n%s\nconverted:\n%s", i, c.options, clip(c.object), clip(c.output))
	}
}

func clip(text []byte) []byte {
	if len(text) > 5000 {
		return append(bytes.Clone(text[:5000]), " ..."...)
	}
	return text
}

func (c *propertyCase) convert(object []byte, to string) []byte {
	c.Helper()
	out, _, err := ConvertJSON(object, to, c.options)
	if err != nil {
		c.Fatalf("to %s: %v\n%s", to, err, clip(object))
	}
	return out
}

// equal compares two objects as an API server would store them.
func (c *propertyCase) equal(what string, got, want []byte) {
	c.Helper()
	if bytes.Equal(got, want) {
		return
	}
	text := func(object []byte) string {
		return string(objectjson.CanonicalWithDigits(encode(withDefaults(c.decodeTyped(object)))))
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

func (c *propertyCase) decodeTyped(object []byte) runtime.Object {
	c.Helper()
	return decodeTyped(c.T, object)
}

// decodeTyped decodes an object of any version.
func decodeTyped(t *testing.T, object []byte) runtime.Object {
	t.Helper()
	h := must.Get(ReadHeader(object))(t)
	into := api.New(h.Version, h.Kind)
	if into == nil {
		t.Fatalf("no type for %+v", h)
	}
	if unknown, err := objectjson.Decode(object, into); err != nil || len(unknown) > 0 {
		t.Fatalf("unknown %v, error %v in\n%s", unknown, err, clip(object))
	}
	return into
}

// withoutPreservedField returns an object without status.claimbridgeLeftover.
func (c *propertyCase) withoutPreservedField(object []byte) []byte {
	c.Helper()
	o := c.decodeTyped(object)
	removePreservedField(o)
	return encode(o)
}

// withoutPreservedData returns an object without preserved data and the labels of an incomplete copy.
func (c *propertyCase) withoutPreservedData(object []byte) []byte {
	c.Helper()
	o := c.decodeTyped(object)
	removePreservedField(o)
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
