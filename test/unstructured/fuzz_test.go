package unstructured

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// FuzzConvert converts any text for a reading and a writing client. It never panics, the result is JSON, and a second
// round trip returns the same object as the first one.
func FuzzConvert(f *testing.F) {
	s := objects.New(1)
	for at, version := range otherVersions {
		for of, kind := range kindsOf(version) {
			f.Add(salted(f, s, stored(f, s, kind)), uint8(at), uint8(of))
		}
	}
	for _, object := range []string{
		``,
		`null`,
		`{}`,
		`{"spec":null,"status":[]}`,
		`{"metadata":{"labels":{"a":null,"a":"b"}},"spec":{"devices":{"requests":[null,{"name":"r","exactly":{},` +
			`"exactly":null}]}}}`,
		`{"metadata":{"ownerReferences":[null,{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim"}]}}`,
	} {
		f.Add([]byte(object), uint8(3), uint8(1))
	}
	f.Fuzz(func(t *testing.T, object []byte, at, of uint8) {
		version := otherVersions[int(at)%len(otherVersions)]
		c := clientOf(version, kindsOf(version)[int(of)%len(kindsOf(version))])
		if !json.Valid(object) || isProjection(version) {
			return
		}
		read, err := c.read(object)
		if err != nil {
			return
		}
		if !json.Valid(read) {
			t.Fatalf("not JSON: %s", read)
		}
		written, err := c.write(read)
		if err != nil {
			t.Fatalf("%v: no reverse conversion: %s", err, read)
		}
		again, err := c.read(written)
		if err == nil {
			again, err = c.write(again)
		}
		if err != nil || !bytes.Equal(objectjson.CanonicalOrSame(again), objectjson.CanonicalOrSame(written)) {
			t.Fatalf("%v: the second round trip differs:\n%s\n%s\n%s", err, read, written, again)
		}
	})
}
