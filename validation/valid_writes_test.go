package validation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// validWriteRuns is the number of stored objects of each version and kind. The conversion itself converts every copy,
// as the API server gets it.
const validWriteRuns = 30

// seed of the generated objects; printed with each failure by way of the subtest's name.
const seed = 20240817

func TestValidWritesAreAllowed(t *testing.T) {
	src := objects.New(seed)
	for _, origin := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			for i := range validWriteRuns {
				generated := encode(t, src.Object(origin, kind))
				stored := edit(t, convert(t, generated, conversion.Stored()), func(o jsonObject) { deallocate(o, i) })
				for _, version := range conversion.Versions() {
					t.Run(fmt.Sprintf("seed %d: %s %d generated as %s, written as %s", seed, kind, i, origin, version),
						func(t *testing.T) {
							writeValidly(t, stored, version, kind)
						})
				}
			}
		}
	}
}

// deallocate every fourth object like a scheduler that does not know the device status: it stays.
func deallocate(o jsonObject, i int) {
	status, _ := o["status"].(map[string]any)
	if devices, reported := status["devices"]; reported && i%4 == 0 {
		o["status"] = jsonObject{"devices": devices}
	}
}

func writeValidly(t *testing.T, stored []byte, version, kind string) {
	copied, report := must.Get2(conversion.ConvertJSON(stored, version, conversion.Options{}))(t)
	if report.Incomplete != "" {
		t.Skip("an incomplete copy is not written back")
	}
	// An API server decodes and encodes both objects.
	copied = edit(t, copied, func(jsonObject) {})
	allow := func(what string, r Request) {
		t.Helper()
		result, err := Validate(t.Context(), r)
		if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, r.Object)
		}
		if len(result.Errors)+len(result.Warnings) > 0 {
			t.Fatalf("%s is rejected: %q, or has warnings: %q\nold %s\nnew %s", what, formatErrors(result.Errors),
				result.Warnings, r.OldObject, r.Object)
		}
	}
	allow("creating a copy", Request{Operation: Create, Object: copied})
	allow("writing it back", Request{Operation: Update, OldObject: copied, Object: copied})
	allow("adding a label", Request{Operation: Update, OldObject: copied, Object: edit(t, copied, func(o jsonObject) {
		o.at("metadata")["labels"] = map[string]any{"team": "a"}
	})})
	allow("deleting it", Request{Operation: Delete, OldObject: copied})
	if kind != claimKind {
		return
	}
	allow("a main write without the status",
		Request{Operation: Update, OldObject: copied, Object: edit(t, copied, func(o jsonObject) {
			delete(o, "status")
		})})
	allow("writing the status back", Request{Operation: UpdateStatus, OldObject: copied, Object: copied})
	allow("a status write by a client that does not know the field for preserved data",
		Request{Operation: UpdateStatus, OldObject: copied, Object: edit(t, copied, func(o jsonObject) {
			delete(o.at("status"), "claimbridgeLeftover")
		})})
	allow("a status write without the annotations",
		Request{Operation: UpdateStatus, OldObject: copied, Object: edit(t, copied, func(o jsonObject) {
			delete(o.at("metadata"), "annotations")
		})})
	allow("the last consumer leaving",
		Request{Operation: UpdateStatus, OldObject: copied, Object: edit(t, copied, func(o jsonObject) {
			delete(o.at("status"), "reservedFor")
		})})
	allow("deallocating",
		Request{Operation: UpdateStatus, OldObject: copied, Object: edit(t, copied, func(o jsonObject) {
			o["status"] = map[string]any{}
		})})
	if string(partOf(copied, "status.allocation")) == nothing && string(partOf(stored, "status.devices")) != nothing {
		return // devices are reported that are not allocated
	}
	bare := edit(t, copied, func(o jsonObject) { delete(o, "status") })
	allow("allocating", Request{Operation: UpdateStatus, OldObject: bare, Object: edit(t, copied, func(o jsonObject) {
		delete(o.at("status"), "claimbridgeLeftover")
	})})
}

// jsonObject is a JSON object that a test edits.
type jsonObject map[string]any

// at returns a member that is an object, and adds it if it is absent.
func (o jsonObject) at(name string) jsonObject {
	member, _ := o[name].(map[string]any)
	if member == nil {
		member = map[string]any{}
		o[name] = member
	}
	return member
}

// edit changes a copy of a JSON object. Numbers keep their digits.
func edit(t testing.TB, data []byte, change func(jsonObject)) []byte {
	t.Helper()
	var o jsonObject
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	must.Do(t, decoder.Decode(&o))
	change(o)
	return encode(t, o)
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	return must.Get(json.Marshal(v))(t)
}

func convert(t testing.TB, data []byte, version string) []byte {
	t.Helper()
	out, _ := must.Get2(conversion.ConvertJSON(data, version, conversion.Options{}))(t)
	return out
}
