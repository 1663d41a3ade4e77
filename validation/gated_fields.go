package validation

import (
	"reflect"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// gated are rows of the table of fields, a bit each. What is not there by default an API server
// drops before it judges, unless the stored object has some: docs/upstream-rules.md.
type gated uint64

// gatedField is a row of the table of fields: for releases that are numbers, and for the types of
// v1, in which rules see all of them.
type gatedField struct {
	api.Field
	bit                               gated
	since, gone, closedFrom, openFrom release
	ofSpec                            bool
	// at is where it is in the spec or the status of v1; empty when v1 has no such field.
	// ofExactly is where it is in what a request asks for exactly; empty for what is elsewhere.
	at, ofExactly []int
}

var gatedFields = readFields(api.Fields())

func readFields(table []api.Field) (fields []gatedField) {
	for i, row := range table {
		part, path, _ := strings.Cut(row.Path, ".")
		f := gatedField{
			Field: row, bit: 1 << i, ofSpec: part == "spec",
			since:      releaseOf(row.Since),
			gone:       releaseOf(row.Gone),
			closedFrom: releaseOf(row.ClosedFrom),
			openFrom:   releaseOf(row.OpenFrom),
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

// isUnknownTo a release that came before it: no object has it. v1alpha3 has no field that 1.33 did
// not have, and these are judged as there by 1.31.
func (f *gatedField) isUnknownTo(judge release) bool { return judge > release1_31 && judge < f.since }

// isClosedIn a release by default.
func (f *gatedField) isClosedIn(judge release) bool {
	return f.closedFrom != 0 && judge >= f.closedFrom && (f.openFrom == 0 || judge < f.openFrom)
}

// fieldAt is the way to a field by the names that JSON has for it, through lists, pointers and the
// exactly that paths leave out: the index of a field in each struct. It is nil when there is none.
func fieldAt(of reflect.Type, names []string) (at []int) {
	for len(names) > 0 {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		i, found := fieldNamed(of, names[0])
		if found {
			names = names[1:]
		} else if i, found = fieldNamed(of, "exactly"); !found {
			return nil
		}
		at, of = append(at, i), of.Field(i).Type
	}
	return at
}

func fieldNamed(of reflect.Type, name string) (i int, found bool) {
	for i := range of.NumField() {
		if tag, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); tag == name {
			return i, true
		}
	}
	return 0, false
}

// visit what is at the end of a way, where there is something: an empty list is nothing.
func visit(v reflect.Value, at []int, end func(reflect.Value)) {
	switch {
	case len(at) == 0:
		if !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0) {
			end(v)
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), at, end)
		}
	case v.Kind() == reflect.Struct:
		visit(v.Field(at[0]), at[1:], end)
	case !v.IsNil():
		visit(v.Elem(), at, end)
	}
}

// visit what a spec or a status has of the field.
func (f *gatedField) visit(spec *v1.ResourceClaimSpec, status *v1.ResourceClaimStatus, end func(reflect.Value)) {
	switch {
	case f.at == nil:
	case f.ofSpec:
		visit(reflect.ValueOf(spec).Elem(), f.at, end)
	default:
		visit(reflect.ValueOf(status).Elem(), f.at, end)
	}
}

// used are the gated fields that a claim or a template with devices has.
func (o *object) used() gated {
	if o.structured == nil {
		return 0
	}
	status := &v1.ResourceClaimStatus{Allocation: o.allocation, Devices: o.devices}
	return fieldsThat(func(f *gatedField) (is bool) {
		f.visit(o.structured, status, func(reflect.Value) { is = true })
		return is
	})
}

// dropFields takes fields away, in copies of the parts that have some.
func (o *object) dropFields(fields gated) {
	if fields == 0 {
		return
	}
	fields &= o.used()
	for i := range gatedFields {
		f := &gatedFields[i]
		switch {
		case fields&f.bit == 0:
			continue
		case f.ofSpec:
			o.structured = o.structured.DeepCopy()
		case strings.HasPrefix(f.Path, "status.allocation."):
			o.allocation = o.allocation.DeepCopy()
		default:
			o.devices = slices.Clone(o.devices)
		}
		status := &v1.ResourceClaimStatus{Allocation: o.allocation, Devices: o.devices}
		f.visit(o.structured, status, reflect.Value.SetZero)
		o.devices = status.Devices
	}
}
