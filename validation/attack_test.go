package validation

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/test/objects"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// attackRuns returns the number of stored objects of each version and kind that are attacked through each version.
func attackRuns() int {
	if testing.Short() {
		return 2
	}
	return 8
}

// attacks are writes that a client with permission to write one version may try. Each gets the copy as it was read and
// a donor: the copy of another stored object that looks the same in old versions if possible.
var attacks = map[string]func(o, donor jsonObject){
	"the preserved data is removed": func(o, _ jsonObject) { removePreservedData(o) },
	"the preserved data is that of another object": func(o, donor jsonObject) {
		removePreservedData(o)
		copyPreservedData(o, donor)
	},
	"the preserved data is invalid": func(o, _ jsonObject) {
		for key := range preservedData(o) {
			metadataWithPreservedData(o).at("annotations")[key] = `{"spec":{"digest":"`
		}
	},
	"every annotation has preserved data of another object": func(o, donor jsonObject) {
		for _, value := range preservedData(donor) {
			for _, key := range []string{"v1-spec", "v1-status"} {
				metadataWithPreservedData(o).at("annotations")[ownDomain+key] = value
			}
		}
	},
	"the copy is labeled incomplete, without preserved data": func(o, _ jsonObject) {
		removePreservedData(o)
		metadataWithPreservedData(o).at("labels")[conversion.IncompleteLabel] = "both"
	},
	"the copy is labeled incomplete, with preserved data of another object": func(o, donor jsonObject) {
		removePreservedData(o)
		copyPreservedData(o, donor)
		metadataWithPreservedData(o).at("labels")[conversion.IncompleteLabel] = "status"
	},
	"a status is added": func(o, donor jsonObject) { o["status"] = donor["status"] },
	"a forged field is added": func(o, donor jsonObject) {
		removePreservedData(o)
		copyPreservedData(o, donor)
		o.at("status")["claimbridgeLeftover"] = donor.at("status")["claimbridgeLeftover"]
	},
}

// metadataWithPreservedData returns the metadata that contains preserved data.
func metadataWithPreservedData(o jsonObject) jsonObject {
	if o["kind"] == templateKind {
		return o.at("spec").at("metadata")
	}
	return o.at("metadata")
}

func preservedData(o jsonObject) map[string]string {
	found := map[string]string{}
	for key, value := range metadataWithPreservedData(o).at("annotations") {
		if strings.HasPrefix(key, ownDomain) {
			found[key], _ = value.(string)
		}
	}
	return found
}

func removePreservedData(o jsonObject) {
	for key := range preservedData(o) {
		delete(metadataWithPreservedData(o).at("annotations"), key)
	}
}

func copyPreservedData(o, donor jsonObject) {
	for key, value := range preservedData(donor) {
		metadataWithPreservedData(o).at("annotations")[key] = value
	}
}

// lookalike returns a stored object that older versions represent like another one: it requests other devices, and its
// devices are in other pools. v1alpha3 has neither capacity nor binding conditions.
func lookalike(t *testing.T, stored []byte) []byte {
	return edit(t, stored, func(o jsonObject) {
		spec := o.at("spec")
		if o["kind"] == templateKind {
			spec = spec.at("spec")
		}
		if requests, _ := spec.at("devices")["requests"].([]any); len(requests) > 0 {
			if asked := requestFields(requests[0]); asked != nil {
				asked["allocationMode"], asked["count"] = "ExactCount", 31
				asked["capacity"] = map[string]any{"requests": map[string]any{"stolen": "1Gi"}}
			}
		}
		if _, allocated := o.at("status")["allocation"]; !allocated {
			delete(o, "status")
			return
		}
		results, _ := o.at("status").at("allocation").at("devices")["results"].([]any)
		for _, result := range results {
			if result, ok := result.(map[string]any); ok {
				result["pool"] = "stolen/pool"
				result["bindingConditions"], result["bindingFailureConditions"] = []any{"stolen"}, []any{"stolen-not"}
			}
		}
	})
}

// requestFields returns the fields of a request of v1: exactly, or the first alternative.
func requestFields(request any) map[string]any {
	r, _ := request.(map[string]any)
	if exactly, ok := r["exactly"].(map[string]any); ok {
		return exactly
	}
	alternatives, _ := r["firstAvailable"].([]any)
	if len(alternatives) == 0 {
		return nil
	}
	first, _ := alternatives[0].(map[string]any)
	return first
}

// The result is compared with the stored object, not with the converted copy, because the attacker controls the copy.
func TestForgedPreservedDataChangesNothingHidden(t *testing.T) {
	src := objects.New(seed + 1)
	rejected := map[string]int{}
	for _, origin := range conversion.Versions() {
		for _, kind := range objects.Kinds {
			for i := range attackRuns() {
				stored := edit(t, convert(t, encode(t, src.Object(origin, kind)), conversion.Stored()),
					func(o jsonObject) {
						delete(o.at("metadata"), "deletionTimestamp")
						deallocate(o, i)
					})
				donor := lookalike(t, stored)
				for _, version := range conversion.Versions() {
					for name, attack := range attacks {
						for _, deleting := range []bool{false, true} {
							t.Run(fmt.Sprintf("seed %d: %s %d made as %s: %s in %s, deleting %v", seed+1, kind, i,
								origin, name, version, deleting),
								func(t *testing.T) {
									rejected[name] += attackOnce(t, stored, donor, version, kind, attack, deleting)
								})
						}
					}
				}
			}
		}
	}
	for name := range attacks {
		if rejected[name] == 0 && name != "a status is added" {
			t.Errorf("%s: never rejected, so never an attack", name)
		}
	}
}

// attackOnce tries one attack with every verb and counts the rejections.
func attackOnce(t *testing.T, stored, donor []byte, version, kind string, attack func(o, donor jsonObject),
	deleting bool,
) (rejected int) {
	if deleting {
		stored = edit(t, stored, func(o jsonObject) {
			o.at("metadata")["deletionTimestamp"] = "2024-01-01T00:00:00Z"
			o.at("metadata")["finalizers"] = []any{"example.com/keep"}
		})
	}
	copied, _ := must.Get2(conversion.ConvertJSON(stored, version, conversion.Options{}))(t)
	copied = edit(t, copied, func(jsonObject) {})
	var other jsonObject
	must.Do(t, json.Unmarshal(convert(t, donor, version), &other))
	forged := edit(t, copied, func(o jsonObject) { attack(o, other) })

	try := func(r Request, taken []byte, parts ...string) {
		t.Helper()
		result := must.Get(Validate(t.Context(), r))(t)
		if len(result.Errors) > 0 {
			rejected++
			return
		}
		out, _, err := conversion.ConvertJSON(taken, conversion.Stored(), conversion.Options{})
		if err != nil {
			t.Fatalf("%s is allowed and cannot be stored: %v", r.Operation, err)
		}
		before := stored
		if r.Operation == Create {
			before = []byte("{}")
		}
		for _, part := range parts {
			if was, is := partOf(before, part), partOf(out, part); !conversion.Equal(was, is) {
				t.Errorf("%s is allowed and changes the stored %s\nfrom %s\nto   %s\nby   %s", r.Operation, part, was,
					is, r.Object)
			}
		}
	}
	if kind == templateKind {
		try(Request{Operation: Update, OldObject: copied, Object: forged}, forged, "spec")
		return rejected
	}
	restored := edit(t, forged, func(o jsonObject) { putStatus(o, copied) })
	try(Request{Operation: Update, OldObject: copied, Object: forged}, restored, "spec", "status")
	try(Request{Operation: Create, Object: forged}, edit(t, forged, func(o jsonObject) {
		delete(o, "status")
	}), "status")
	try(Request{
		Operation: UpdateStatus, OldObject: copied, Object: forged,
	}, edit(t, copied, func(o jsonObject) { putStatus(o, forged) }), immutableParts(copied, forged)...)
	return rejected
}

// immutableParts returns the data that a status write must not change: the spec, and the allocation if its visible part
// is unchanged.
func immutableParts(copied, forged []byte) []string {
	same := func(part string) bool { return conversion.Equal(partOf(copied, part), partOf(forged, part)) }
	if string(partOf(copied, "status.allocation")) != nothing && same("status.allocation") &&
		same("status.driverName") {
		return []string{"spec", "status.allocation"}
	}
	return []string{"spec"}
}

// putStatus combines the written part with the other part of the stored object, as an API server does.
func putStatus(o jsonObject, from []byte) {
	delete(o, "status")
	if status := string(partOf(from, "status")); status != nothing {
		o["status"] = json.RawMessage(status)
	}
}

const nothing = "{}"

// partOf returns a part of an object by its path. For an API server, an absent part equals an empty one.
func partOf(object []byte, path string) []byte {
	for name := range strings.SplitSeq(path, ".") {
		members, _, _ := objectjson.Members(object)
		object = objectjson.Get(members, name)
	}
	if object == nil || string(object) == "null" {
		return []byte(nothing)
	}
	return object
}
