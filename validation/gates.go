package validation

import (
	"reflect"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// gated are rows of the table of fields, a bit each. What is not there by default an API server drops before it judges, unless the
// stored object has some: docs/upstream-rules.md.
type gated uint64

// gatedField is a row of the table of fields: for releases that are numbers, and for the types of v1, in which rules see all of them.
type gatedField struct {
	api.Field
	bit                               gated
	since, gone, closedFrom, openFrom release
	ofSpec                            bool
	// at is where it is in the spec or the status of v1; empty when v1 has no such field.
	// ofExactly is where it is in what a request asks for exactly; empty for what is elsewhere.
	at, ofExactly []int
}

var (
	gatedFields  = readFields(api.Fields())
	deviceStatus = behind("DRAResourceClaimDeviceStatus")
)

func readFields(table []api.Field) (fields []gatedField) {
	for i, row := range table {
		part, path, _ := strings.Cut(row.Path, ".")
		f := gatedField{
			Field: row, bit: 1 << i, ofSpec: part == "spec",
			since: releaseOf(row.Since), gone: releaseOf(row.Gone), closedFrom: releaseOf(row.ClosedFrom), openFrom: releaseOf(row.OpenFrom),
		}
		of := reflect.TypeFor[v1.ResourceClaimStatus]()
		if f.ofSpec {
			of = reflect.TypeFor[v1.ResourceClaimSpec]()
		}
		f.at = fieldAt(of, strings.Split(path, "."))
		if name, is := strings.CutPrefix(path, "devices.requests."); is {
			f.ofExactly = fieldAt(reflect.TypeFor[v1.ExactDeviceRequest](), strings.Split(name, "."))
		}
		fields = append(fields, f)
	}
	return fields
}

// fieldsThat are so.
func fieldsThat(are func(f *gatedField) bool) (all gated) {
	for i := range gatedFields {
		if are(&gatedFields[i]) {
			all |= gatedFields[i].bit
		}
	}
	return all
}

// behind a feature gate are these fields.
func behind(gate string) gated {
	return fieldsThat(func(f *gatedField) bool { return f.Gate == gate })
}

// isUnknownTo a release that came before it: no object has it. v1alpha3 has no field that 1.33 did not have, and these are judged
// as there by 1.31.
func (f *gatedField) isUnknownTo(judge release) bool { return judge > release1_31 && judge < f.since }

// isClosedIn a release by default.
func (f *gatedField) isClosedIn(judge release) bool {
	return f.closedFrom != 0 && judge >= f.closedFrom && (f.openFrom == 0 || judge < f.openFrom)
}

// closed are the fields of a part, the spec or the status, that the release drops from it: those whose gate is closed by default,
// unless the old object uses some that are looked at together with it.
func closed(judge release, ofSpec bool, used gated) gated {
	return fieldsThat(func(f *gatedField) bool {
		return f.ofSpec == ofSpec && f.isClosedIn(judge) && used&f.together(judge) == 0
	})
}

// together with a field are those of its gate: in the whole claim, or as are closed in the same part.
func (f *gatedField) together(judge release) gated {
	if f.Gate == "DRAAdminAccess" || f.Gate == "DRAConsumableCapacity" && (!f.ofSpec || judge <= release1_34) {
		return behind(f.Gate)
	}
	return fieldsThat(func(other *gatedField) bool {
		return other.Gate == f.Gate && other.ofSpec == f.ofSpec && other.isClosedIn(judge)
	})
}

// drop what the API server of the release drops. Only versions with devices have anything. Of both objects goes what the release does not know,
// of the new one what is behind closed gates. From 1.35 on that goes before reports of devices that are not allocated any more are looked for, so
// that a shareID behind a closed gate tells no device from another; up to 1.34 after.
func (w *write) drop() {
	if w.new.structured == nil {
		return
	}
	unknown := fieldsThat(func(f *gatedField) bool { return f.isUnknownTo(w.release) })
	for _, o := range []*object{&w.old, &w.new} {
		o.keptSpec, o.keptAllocation = o.structured, o.allocation
		o.dropFields(unknown)
	}
	closed := closed(w.release, w.op != UpdateStatus, w.old.used())
	if w.op == UpdateStatus && closed&deviceStatus == 0 {
		if w.release >= release1_35 {
			w.new.dropFields(closed)
		}
		w.dropDeallocated()
	}
	w.new.dropFields(closed)
}
