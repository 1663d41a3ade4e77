package validation

var deviceStatus = behind("DRAResourceClaimDeviceStatus")

// behind a feature gate are these fields.
func behind(gate string) gated {
	return fieldsThat(func(f *gatedField) bool { return f.Gate == gate })
}

// closed are the fields of a part, the spec or the status, that the release drops from it: those
// whose gate is closed by default, unless the old object uses some that are looked at together with
// it.
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

// drop what the API server of the release drops. Only versions with devices have anything. Of both
// objects goes what the release does not know, of the new one what is behind closed gates. From
// 1.35 on that goes before reports of devices that are not allocated any more are looked for, so
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
