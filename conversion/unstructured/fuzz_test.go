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
		for of, kind := range Kinds(version) {
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
		c := clientOf(version, Kinds(version)[int(of)%len(Kinds(version))])
		read, err := c.read(object)
		if err != nil {
			return
		}
		if !json.Valid(read) {
			t.Fatalf("not JSON: %s", read)
		}
		if isProjection(version) {
			return
		}
		written, err := Convert(read, c.kind, c.version, c.served)
		if err != nil {
			t.Fatalf("%v: no reverse conversion: %s", err, read)
		}
		again, err := Convert(written, c.kind, c.served, c.version)
		if err == nil {
			again, err = Convert(again, c.kind, c.version, c.served)
		}
		if err != nil || !bytes.Equal(objectjson.CanonicalOrSame(again), objectjson.CanonicalOrSame(written)) {
			t.Fatalf("%v: the second round trip differs:\n%s\n%s\n%s", err, read, written, again)
		}
		if referring, err := ConvertReferences(written, c.served); err == nil && !json.Valid(referring) {
			t.Fatalf("not JSON: %s", referring)
		}
	})
}
