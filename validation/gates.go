package validation

// gated are fields that not every release from 1.31 on has, or that stand behind feature gates. What is not there by default
// an API server drops before it judges, unless the stored object has some: docs/upstream-rules.md.
type gated uint16

const (
	adminAccess gated = 1 << iota
	firstAvailable
	tolerations
	capacity // requests' and results'
	distinctAttribute
	derivedAttributes

	resultTolerations
	bindingConditions // of both kinds
	allocationTimestamp
	shareID
	skippedOperations
	deviceStatus

	endOfGated // which is no field

	later1_33 = firstAvailable | tolerations | resultTolerations
	later1_34 = capacity | distinctAttribute | bindingConditions | allocationTimestamp | shareID
	later1_37 = derivedAttributes | skippedOperations
)

// laterFields of the releases after 1.32 that brought some.
var laterFields = []struct {
	since  release
	fields gated
}{{release1_33, later1_33}, {release1_34, later1_34}, {release1_37, later1_37}}

// unknownTo a release are fields that came later: no object has them.
func unknownTo(judge release) (unknown gated) {
	if judge <= release1_31 {
		return 0 // v1alpha3 has no field that 1.33 did not have, and these are judged as there
	}
	for _, later := range laterFields {
		if judge < later.since {
			unknown |= later.fields
		}
	}
	return unknown
}

// closedByDefault are the fields of a spec, and those of a status, whose feature gate is off by default in a release, by the groups
// that stay together once one of them is in use. 1.33 and 1.34 meant to drop tolerations and 1.34 distinctAttribute as well. Each
// release with devices has a row.
var closedByDefault = map[release]struct{ spec, status []gated }{
	release1_31: {},
	release1_32: {spec: []gated{adminAccess}, status: []gated{deviceStatus, adminAccess}},
	release1_33: {spec: []gated{firstAvailable, adminAccess}, status: []gated{adminAccess}},
	release1_34: {spec: []gated{capacity}, status: []gated{bindingConditions | allocationTimestamp, capacity | shareID}},
	release1_35: {spec: []gated{tolerations, capacity | distinctAttribute}, status: []gated{bindingConditions, capacity | shareID}},
	release1_36: {},
	release1_37: {spec: []gated{derivedAttributes}, status: []gated{skippedOperations}},
}

func closedInSpec(judge release) []gated { return closedByDefault[judge].spec }

func closedInStatus(judge release) []gated { return closedByDefault[judge].status }

// inUse extends what the old object uses to what is looked at together with it.
func inUse(group, spec, status gated, judge release, onSpec bool) bool {
	switch {
	case group&adminAccess != 0 && judge <= release1_33, group&shareID != 0, group&capacity != 0 && judge <= release1_34:
		used := spec | status // of the whole claim
		if group&capacity != 0 {
			return used&(capacity|distinctAttribute|shareID) != 0
		}
		return used&group != 0
	case onSpec:
		return spec&group != 0
	}
	return status&group != 0
}

// drop what the API server of the release drops. Only versions with devices have anything.
func (w *write) drop() {
	if w.new.structured == nil {
		return
	}
	for _, o := range []*object{&w.old, &w.new} {
		o.keptSpec, o.keptAllocation = o.structured, o.allocation
	}
	unknown := unknownTo(w.release)
	w.old.dropSpec(unknown)
	w.new.dropSpec(unknown)
	w.old.dropStatus(unknown)
	w.new.dropStatus(unknown)
	w.dropNoAdminAccess()
	var spec, status gated
	if w.old.structured != nil {
		spec, status = usedInSpec(w.old.structured), w.old.usedInStatus()
	}
	if w.op != UpdateStatus {
		w.new.dropSpec(w.closed(closedInSpec(w.release), spec, status))
		return
	}
	closed := w.closed(closedInStatus(w.release), spec, status)
	if w.release >= release1_35 {
		w.new.dropStatus(closed)
	}
	if closed&deviceStatus == 0 {
		w.dropDeallocated()
	}
	w.new.dropStatus(closed)
}

func (w *write) closed(groups []gated, spec, status gated) (closed gated) {
	for _, group := range groups {
		if !inUse(group, spec, status, w.release, w.op != UpdateStatus) {
			closed |= group
		}
	}
	return closed
}
