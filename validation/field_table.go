package validation

import (
	"reflect"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
)

// fieldSet is a set of rows of the table of fields, a bit each. Before an API server validates, it drops fields whose
// gate is off by default, unless the stored object has a field that keeps them: see docs/upstream-rules.md.
type fieldSet uint64

// fieldRow is a row of the table of fields, with releases as numbers, and for the types of v1, which checks read. A row
// may have no feature gate.
type fieldRow struct {
	api.Field
	bit                                 fieldSet
	since, removedIn, offSince, onSince Release
	ofSpec                              bool
	// index of the field in each struct of the spec or the status of v1; empty when v1 has no such field.
	index []int
}

var fieldRows = readFields(api.Fields())

func readFields(table []api.Field) (fields []fieldRow) {
	for i, row := range table {
		part, path, _ := strings.Cut(row.PathIn("v1"), ".")
		f := fieldRow{
			Field: row, bit: 1 << i, ofSpec: part == "spec",
			since:     releaseOf(row.Since),
			removedIn: releaseOf(row.RemovedIn),
			offSince:  releaseOf(row.OffSince),
			onSince:   releaseOf(row.OnSince),
		}
		structType := reflect.TypeFor[v1.ResourceClaimStatus]()
		if f.ofSpec {
			structType = reflect.TypeFor[v1.ResourceClaimSpec]()
		}
		f.index = fieldIndex(structType, strings.Split(path, "."))
		fields = append(fields, f)
	}
	return fields
}

// fieldsThat returns the fields that match.
func fieldsThat(match func(f *fieldRow) bool) (all fieldSet) {
	for i := range fieldRows {
		if match(&fieldRows[i]) {
			all |= fieldRows[i].bit
		}
	}
	return all
}

// isUnknownTo reports whether the rules of a release do not cover a field of versions with devices.
func (f *fieldRow) isUnknownTo(release Release) bool {
	return release < f.since && !release.hasFieldsOfV1alpha3()
}

// isDisabledIn reports whether the gate of the field is off by default in a release.
func (f *fieldRow) isDisabledIn(release Release) bool {
	return f.offSince != 0 && release >= f.offSince && (f.onSince == 0 || release < f.onSince)
}

// fieldIndex returns the index of a field in each struct on the way to it, by the names of the fields in JSON. Lists
// and pointers on the way have no index. It is nil if there is no such field.
func fieldIndex(structType reflect.Type, names []string) (index []int) {
	for len(names) > 0 {
		for structType.Kind() == reflect.Pointer || structType.Kind() == reflect.Slice {
			structType = structType.Elem()
		}
		i, found := fieldNamed(structType, names[0])
		if !found {
			return nil
		}
		index = append(index, i)
		structType, names = structType.Field(i).Type, names[1:]
	}
	return index
}

func fieldNamed(structType reflect.Type, name string) (i int, found bool) {
	for i := range structType.NumField() {
		if tag, _, _ := strings.Cut(structType.Field(i).Tag.Get("json"), ","); tag == name {
			return i, true
		}
	}
	return 0, false
}

// visit calls a function for each value of the field with the index that is set. An empty list is not set.
func visit(v reflect.Value, index []int, do func(reflect.Value)) {
	switch {
	case len(index) == 0:
		if !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0) {
			do(v)
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), index, do)
		}
	case v.Kind() == reflect.Struct:
		visit(v.Field(index[0]), index[1:], do)
	case !v.IsNil():
		visit(v.Elem(), index, do)
	}
}

// visit calls a function for each value of the field in a claim that is set.
func (f *fieldRow) visit(c *claim, do func(reflect.Value)) {
	switch {
	case f.index == nil:
	case f.ofSpec:
		visit(reflect.ValueOf(c.spec).Elem(), f.index, do)
	default:
		visit(reflect.ValueOf(&c.status).Elem(), f.index, do)
	}
}

// usedFields returns the fields of the table that a claim with devices has.
func (c *claim) usedFields() fieldSet {
	if c.spec == nil {
		return 0
	}
	return fieldsThat(func(f *fieldRow) (isUsed bool) {
		f.visit(c, func(reflect.Value) { isUsed = true })
		return isUsed
	})
}

// dropFields drops fields, in copies of the parts that have some.
func (c *claim) dropFields(fields fieldSet) {
	if fields == 0 {
		return
	}
	fields &= c.usedFields()
	for i := range fieldRows {
		f := &fieldRows[i]
		switch {
		case fields&f.bit == 0:
			continue
		case f.ofSpec:
			c.spec = c.spec.DeepCopy()
		case strings.HasPrefix(f.Path, "status.allocation."):
			c.status.Allocation = c.status.Allocation.DeepCopy()
		default:
			c.status.Devices = slices.Clone(c.status.Devices)
		}
		f.visit(c, reflect.Value.SetZero)
	}
}
