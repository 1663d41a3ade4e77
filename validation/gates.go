package validation

var deviceStatus = gatedBy("DRAResourceClaimDeviceStatus")

// gatedBy returns the fields of a feature gate.
func gatedBy(gate string) fieldSet {
	return fieldsThat(func(f *fieldRow) bool { return f.Gate == gate })
}

// disabledFields returns the fields of a part, the spec or the status, that the release drops from it: those whose gate
// is off by default, unless the old object uses a field that keeps them.
func disabledFields(release Release, ofSpec bool, used fieldSet) fieldSet {
	return fieldsThat(func(f *fieldRow) bool {
		return f.ofSpec == ofSpec && f.isDisabledIn(release) && used&f.keptBy(release) == 0
	})
}

// keptBy returns the fields whose presence in the old object keeps the field while its gate is off: all fields of the
// gate, or only those that are disabled in the same part.
func (f *fieldRow) keptBy(release Release) fieldSet {
	if f.Gate == "DRAAdminAccess" ||
		f.Gate == "DRAConsumableCapacity" && (!f.ofSpec || release.keepsCapacityIfStatusUsesGate()) {
		return gatedBy(f.Gate)
	}
	return fieldsThat(func(candidate *fieldRow) bool {
		return candidate.Gate == f.Gate && candidate.ofSpec == f.ofSpec && candidate.isDisabledIn(release)
	})
}

// dropFields drops data of versions with devices that the API server of the release drops. From both objects it drops
// fields that the release does not have. From the new object it also drops fields whose gate is off, and the status of
// devices that are no longer allocated.
func (in *input) dropFields() {
	if in.new.spec == nil {
		return
	}
	unknown := fieldsThat(func(f *fieldRow) bool { return f.isUnknownTo(in.release) })
	for _, o := range []*object{&in.old, &in.new} {
		o.completeSpec, o.completeAllocation = o.spec, o.status.Allocation
		o.dropFields(unknown)
	}
	disabled := disabledFields(in.release, in.operation != UpdateStatus, in.old.usedFields())
	if in.operation != UpdateStatus || disabled&deviceStatus != 0 {
		in.new.dropFields(disabled)
		return
	}
	if in.release.dropsFieldsBeforeDeviceStatus() {
		in.new.dropFields(disabled)
		in.dropDeallocatedDevices()
		return
	}
	in.dropDeallocatedDevices()
	in.new.dropFields(disabled)
}
