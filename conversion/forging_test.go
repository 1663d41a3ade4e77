package conversion

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// nothingIsForged plays the API server without any webhook but conversion: a main write takes the client's metadata and
// spec together with the stored status as seen in the client's version; a status write takes the client's status
// together with the stored metadata and spec. Neither may change what it is not about, whatever the client sends.
func nothingIsForged(c *lawCase) {
	if c.from != Stored() || c.kind != api.KindClaim || c.options.AnnotationsOnly || c.report.Incomplete != "" {
		return
	}
	status := statusOf(c, c.object)
	for what, forged := range c.forgeries() {
		stored, _, err := JSON(forged, c.from, Options{})
		if err != nil {
			continue // refused, so nothing was written
		}
		if got := statusOf(c, stored); !bytes.Equal(got, status) {
			c.Errorf("a main write, %s, changed the status:\n was %s\n now %s", what, clip(status), clip(got))
		}
	}
	// A typed client of old drops the field; the annotation that it could not touch gives all of it back.
	dropped := c.convert(c.withoutField(c.there), c.from)
	c.equal("a status write without the field", dropped, c.object)

	written := c.typed(c.withOtherStatus(c.there))
	if field := leftoverOf(written); field != nil {
		*field = `v1:{"allocation":{"devices":{"results":[]}}}`
	}
	stored, _, err := JSON(encode(written), c.from, c.options)
	if err != nil {
		return // refused
	}
	if was, is := specAndMeta(c, c.object), specAndMeta(c, stored); was != is {
		c.Errorf("a status write changed spec or metadata:\n was %s\n now %s", was, is)
	}
}

func statusOf(c *lawCase, object []byte) []byte {
	members, _, err := kjson.Members(object)
	if err != nil {
		c.Fatal(err)
	}
	status := kjson.Get(members, "status")
	if string(status) == "{}" {
		return nil
	}
	// The order in which types write members is not what is looked at; bytes of parameters are.
	return leftover.WithoutEmpty(encode(normal(c.typed(encode(map[string]json.RawMessage{
		"apiVersion": json.RawMessage(`"resource.k8s.io/` + c.from + `"`), "kind": json.RawMessage(`"ResourceClaim"`), "status": orNull(status),
	})))))
}

func orNull(status []byte) []byte {
	if status == nil {
		return []byte("null")
	}
	return status
}

const stripped = "with all annotations stripped"

// forgeries are main writes through the older version, each with the status as it is stored.
func (c *lawCase) forgeries() map[string][]byte {
	writes := map[string][]byte{}
	add := func(what string, change func(annotations map[string]string)) {
		o := c.typed(c.there)
		meta := metaOf(o)
		if meta.Annotations == nil {
			meta.Annotations = map[string]string{}
		}
		change(meta.Annotations)
		writes[what] = encode(o)
	}
	uid := string(metaOf(c.typed(c.there)).UID)
	const stolen = `"status":{"allocation":{"devices":{"results":[{"request":"claim","driver":"evil.example.com","pool":"p","device":"stolen"}]}}}}`
	add("with another status", func(a map[string]string) { a[leftover.KeyStatus] = `{"uid":"` + uid + `",` + stolen })
	add("with a status of nobody", func(a map[string]string) { a[leftover.KeyStatus] = "{" + stolen })
	add("with a broken status", func(a map[string]string) { a[leftover.KeyStatus] = `{"uid":"` + uid + `","status":` })
	add("without the status", func(a map[string]string) { delete(a, leftover.KeyStatus) })
	add(stripped, func(a map[string]string) { clear(a) })
	o := c.typed(c.there)
	if class := part[string](o, "Spec", "ResourceClassName"); class != nil {
		*class = "other.example.com"
	}
	writes["with another class"] = encode(o)
	add("with another spec", func(a map[string]string) {
		a[leftover.KeySpec] = `{"devices":{"requests":[{"name":"forged","exactly":{"deviceClassName":"forged.example.com","allocationMode":"ExactCount","count":2}}]}}`
	})
	return writes
}

// withoutField is the text of an object whose status stays, if only as an empty one.
func (c *lawCase) withoutField(object []byte) []byte {
	c.Helper()
	var o, status map[string]json.RawMessage
	if err := json.Unmarshal(object, &o); err != nil || o["status"] == nil {
		return object
	}
	if err := json.Unmarshal(o["status"], &status); err != nil {
		c.Fatal(err)
	}
	delete(status, "claimbridgeLeftover")
	o["status"] = encode(status)
	return encode(o)
}

// TestWhatIsNoObjectIsNoStatus: a text that is no object counts as none, wherever it stands, and is reported. An answer stays JSON.
func TestWhatIsNoObjectIsNoStatus(t *testing.T) {
	for _, version := range []string{"v1alpha1", "v1alpha2", "v1alpha3"} {
		for _, text := range []string{"", " ", "null", "[]", "1", `"{}"`, "{", "{} {}", "nothing "} {
			quoted := func(text string) string { return string(kjson.Quote(text)) }
			for name, object := range map[string]string{
				"field":  `"metadata":{"name":"a","uid":"u"},"spec":{},"status":{"claimbridgeLeftover":` + quoted("v1:"+text) + `}`,
				"status": `"metadata":{"name":"a","uid":"u","annotations":{"claimbridge.dev/v1-status":` + quoted(`{"uid":"u","status":`+text+`}`) + `}},"spec":{},"status":{}`,
				"spec":   `"metadata":{"name":"a","uid":"u","annotations":{"claimbridge.dev/v1-spec":` + quoted(text) + `}},"spec":{},"status":{}`,
			} {
				object = `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim",` + object + `}`
				out, report, err := JSON([]byte(object), Stored(), Options{})
				if err != nil || !json.Valid(out) || bytes.Contains(out, []byte("null")) || len(report.Ignored) != 1 {
					t.Errorf("%s of %s, %q: %s %v %v", name, version, text, out, report.Ignored, err)
				}
				if findings, err := Inspect([]byte(object)); err != nil || len(findings) == 0 {
					t.Errorf("%s of %s, %q: nothing is found: %v", name, version, text, err)
				}
			}
		}
	}
}

// TestWhatASchemaRefusesDoesNotTravel: an annotation is no way to store what a schema refuses, and Go takes.
func TestWhatASchemaRefusesDoesNotTravel(t *testing.T) {
	for what, test := range map[string]struct {
		exactly string
		found   bool
	}{
		"a null among tolerations":  {`"tolerations":[null]`, true},
		"a fraction":                {`"capacity":{"requests":{"m":1.5}}`, true},
		"a sign":                    {`"c\u0061pacity":{"requests":{"m":"+"}}`, true},
		"a number beyond 64 bits":   {`"capacity":{"requests":{"m":9223372036854775808}}`, true},
		"many derived attributes":   {`"derivedAttributes":[{}` + strings.Repeat(",{}", 128) + `]`, true},
		"quantities as they can be": {`"capacity":{"requests":{"m":"1.5","n":-9,"o":"1e3","p":1000000000000000000}},"selectors":null`, false},
	} {
		spec := `{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1,` + test.exactly + `}}]}}`
		object := `{"apiVersion":"resource.k8s.io/v1alpha2","kind":"ResourceClaim","metadata":{"name":"a","annotations":{"claimbridge.dev/v1-spec":` +
			string(kjson.Quote(spec)) + `}},"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}`
		home, _, err := JSON([]byte(object), Stored(), Options{})
		if err != nil || bytes.Contains(home, []byte("exactly\":{\"deviceClassName\":\"c\",\"allocationMode\":\"ExactCount\",\"count\":1,")) == test.found {
			t.Errorf("%s: %v %s", what, err, home)
		}
		if findings, err := Inspect([]byte(object)); err != nil || (len(findings) > 0) != test.found {
			t.Errorf("%s: %v %v", what, findings, err)
		}
	}
}

// TestEntriesThatTravelAreThoseOfV1: what v1 refuses of configuration that says to be of claimbridge no annotation brings.
func TestEntriesThatTravelAreThoseOfV1(t *testing.T) {
	for _, opaque := range []string{
		`{"driver":"d.io","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ClassicClaimSpec","allocationMode":"Immediate"}}`,
		`{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ResourceHandle","driver":"d.io","device":"handle-0","data":"x"}}`,
		`{"driver":"claimbridge.dev","parameters":{"apiVersion":"claimbridge.dev/v1","kind":"ControlPlaneClaim","controller":"BAD NAME"}}`,
	} {
		spec := `{"devices":{"requests":[{"name":"claim","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}],"config":[{"opaque":` + opaque + `}]}}`
		inV1 := `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a"},"spec":` + spec + `}`
		if findings, err := Inspect([]byte(inV1)); err != nil || len(findings) == 0 {
			t.Fatalf("%s: v1 takes it: %v", opaque, err)
		}
		for _, version := range []string{"v1alpha1", "v1alpha2"} {
			object := `{"apiVersion":"resource.k8s.io/` + version + `","kind":"ResourceClaim","metadata":{"name":"a","annotations":{"claimbridge.dev/v1-spec":` +
				string(kjson.Quote(spec)) + `}},"spec":{"resourceClassName":"c","allocationMode":"WaitForFirstConsumer"}}`
			if findings, err := Inspect([]byte(object)); err != nil || len(findings) == 0 {
				t.Errorf("%s takes %s: %v", version, opaque, err)
			}
		}
	}
}
