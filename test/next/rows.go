package main

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/oracle"
)

// Rows of claimbridge for a change.
const (
	// noRow means that a row is missing.
	noRow = "**none**"
	// versionRow and fieldRow mean that a table has the same fact.
	versionRow = "`api/versions.go`"
	fieldRow   = "`api/fields.go`"
	// newFieldRow means that the change is a part of new fields.
	newFieldRow = "part of new fields in `api/fields.go`; rules: `docs/upstream-rules.md`"
	// unusedGateRow means that no field of claims has the feature gate.
	unusedGateRow = "no field of claims"
	// validatorRow means that the rules are compared with the release's own code in test/oracle. A row for each changed
	// function would be out of date after the next pre-release.
	validatorRow = "rules: compared with the validator"
)

// rowOf returns the row of claimbridge for a fact that changed in a release.
func rowOf(fact, newValue, release string) string {
	kind, name, _ := strings.Cut(fact, " ")
	switch kind {
	case "end":
		return rowOfEnd(name, newValue)
	case "field":
		return rowOfField(name, release)
	case "tags", "check":
		return rowOfFieldRules(name, release)
	case "gate":
		return rowOfGate(name, newValue, release)
	case "function", "format", "expression", "module", "constant":
		return rowOfRules(release)
	}
	return noRow
}

// rowOfEnd returns the row for the release that no longer serves a version. The name is like "of v1beta1".
func rowOfEnd(name, newValue string) string {
	version, _ := api.Find(strings.TrimPrefix(name, "of "))
	if version.RemovedIn == newValue {
		return versionRow
	}
	return noRow
}

// rowOfField returns the row for a new or changed field. The name is like "v1 ExactDeviceRequest.count".
func rowOfField(name, release string) string {
	switch {
	case isNewField(name, release):
		return fieldRow
	case isOfNewType(name, release):
		return newFieldRow
	}
	return noRow
}

// rowOfFieldRules returns the row for tags of a field, or for generated validation of a type.
func rowOfFieldRules(name, release string) string {
	switch {
	case isNewField(name, release):
		return fieldRow
	case slices.ContainsFunc(api.Fields(), func(f api.Field) bool { return f.Since == release }):
		return newFieldRow
	}
	return rowOfRules(release)
}

// rowOfGate returns the row for a new default of a feature gate.
func rowOfGate(gate, newValue, release string) string {
	hasGate := false
	for _, f := range api.Fields() {
		if f.Gate != gate {
			continue
		}
		hasGate = true
		if isOff(f, release) == strings.HasPrefix(newValue, "off") {
			return fieldRow
		}
	}
	if !hasGate {
		return unusedGateRow
	}
	return noRow
}

// rowOfRules returns the row for a change of rules.
func rowOfRules(release string) string {
	if _, found := oracle.Find(release); found {
		return validatorRow
	}
	return noRow
}

// isOff reports whether the feature gate of a field is off by default in a release.
func isOff(f api.Field, release string) bool {
	if f.OffSince == "" || api.Minor(release) < api.Minor(f.OffSince) {
		return false
	}
	return f.OnSince == "" || api.Minor(release) < api.Minor(f.OnSince)
}

// isNewField reports whether the release added a field with the last part of a name, as of "v1 DeviceClaim.requests".
func isNewField(name, release string) bool {
	at := strings.LastIndexAny(name, " .")
	return slices.ContainsFunc(api.Fields(), func(f api.Field) bool {
		return f.Since == release && strings.HasSuffix(f.Path, "."+name[at+1:])
	})
}

// isOfNewType reports whether a field is in a type of a field that the release added. The name of such a type ends like
// that of the field: DeviceDerivedAttribute for derivedAttributes.
func isOfNewType(name, release string) bool {
	_, name, _ = strings.Cut(name, " ")
	typeName, _, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(api.Fields(), func(f api.Field) bool {
		fieldName := f.Path[strings.LastIndex(f.Path, ".")+1:]
		return f.Since == release && strings.HasSuffix(strings.ToLower(typeName)+"s", strings.ToLower(fieldName))
	})
}
