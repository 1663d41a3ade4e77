package validation

import (
	"reflect"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/test/objects"
)

// releasesWithDevices are all that served a version with devices.
func releasesWithDevices() map[release]bool {
	all := map[release]bool{}
	for _, v := range api.Versions() {
		for _, name := range v.Served {
			if v.Devices {
				all[releaseOf(name)] = true
			}
		}
	}
	return all
}

// A release without a row would count as one whose gates are all open.
func TestEveryReleaseSaysWhichGatesAreClosed(t *testing.T) {
	served := releasesWithDevices()
	for judge := range served {
		if _, is := closedByDefault[judge]; !is {
			t.Errorf("closedByDefault has no row of %v", judge)
		}
	}
	for judge := range closedByDefault {
		if !served[judge] {
			t.Errorf("closedByDefault has a row of %v, which is among Served of no version in api/versions.go", judge)
		}
	}
}

// The table of what is named and the sets that are dropped before rules are asked must say the same.
func TestReleasedFieldsAreThoseThatRulesDoNotSee(t *testing.T) {
	named := gated(0)
	for path, f := range releasedFields {
		named |= f.gated
		for judge := range releasesWithDevices() {
			if judge == release1_31 || f.gated == 0 {
				continue // it is judged as 1.33
			}
			if unknown := unknownTo(judge)&f.gated != 0; unknown != (judge < f.since) {
				t.Errorf("%s in %v: unknown to rules is %v", path, judge, unknown)
			}
		}
	}
	if missing := (endOfGated - 1) &^ named; missing != 0 {
		t.Errorf("gated fields %b have no path in releasedFields", missing)
	}
	if closed := closedFields(); closed&^(endOfGated-1) != 0 {
		t.Errorf("gates of no field: %b", closed)
	}
}

func closedFields() (all gated) {
	for _, row := range closedByDefault {
		for _, group := range row.spec {
			all |= group
		}
		for _, group := range row.status {
			all |= group
		}
	}
	return all
}

// A field of the newest version that v1alpha3 does not have came with a later release, and is among the released fields, or
// in one of them.
func TestEveryLaterFieldIsAReleasedOne(t *testing.T) {
	before := map[string]bool{}
	for path := range objects.EachLeaf(reflect.TypeOf(api.New("v1alpha3", api.KindClaim)).Elem()) {
		before[path] = true
	}
	later := 0
	for path := range objects.EachLeaf(reflect.TypeOf(api.New(api.Newest().Name, api.KindClaim)).Elem()) {
		path = strings.ReplaceAll(path, ".exactly.", ".")
		if before[path] || path == "status.claimbridgeDeallocationRequested" { // which is ours
			continue
		}
		later++
		if !isReleased(path) {
			t.Errorf("%s came after 1.33, and releasedFields do not say when", path)
		}
	}
	if later < 10 {
		t.Errorf("there are %d later fields", later)
	}
}

func isReleased(path string) bool {
	for ; path != ""; path = path[:max(0, strings.LastIndex(path, "."))] {
		if f, is := releasedFields[path]; is && f.since >= release1_34 {
			return true
		}
	}
	return false
}
