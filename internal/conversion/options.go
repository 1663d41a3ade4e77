package conversion

// Options are the options of a conversion. The zero value suits a conversion webhook.
type Options struct {
	// Strict makes unknown and duplicate fields errors, even if the object already has the target version. By default
	// they are dropped and reported, as an API server does without strict field validation.
	Strict bool
	// Manifest is for objects in files. The public package conversion lists its effects, at Options.Manifest. The first
	// of them, that no defaults are added, needs OmitDefaults too.
	Manifest bool
	// OmitDefaults adds no default that the API server of the target version sets. A default that the object has is kept
	// if the version has a field for it. The public package sets it together with Manifest.
	OmitDefaults bool
	// TrimMetadata omits the metadata that an API server restores: all but name, generateName, namespace, uid, labels
	// and annotations.
	TrimMetadata bool
	// ListPreserved fills in Report.Preserved.
	ListPreserved bool
	// Inspect fills in Report.Findings of a conversion to v1, even if the object is in v1 already or the conversion is
	// rejected with ErrIncomplete.
	Inspect bool
}

// Report describes what a conversion did. It has paths, never values.
type Report struct {
	// Group and Version of the object.
	Group, Version string
	// Unknown has the paths of fields of the object that the result does not have. It is empty if the object has the
	// target version already, because such an object keeps all its fields.
	Unknown []string
	// Ignored has preserved data that is malformed, in the wrong place, or of another spec, each with its path and the
	// reason. A client edited the spec, or broke or forged the data.
	Ignored []string
	// Stale has preserved statuses of another claim, or of a claim without a status. A client restored the claim from a
	// backup, or removed its status.
	Stale []string
	// Preserved has the preserved data of the result, each with its path and its size, if the options ask for it.
	Preserved []string
	// Findings are the problems of preserved data and of configuration entries of claimbridge, if the options ask for
	// them: each must be in its place and well-formed, and a preserved spec must be the one that the object shows. A
	// preserved status of another claim is not a finding: the claim was restored from a backup, or created from a copy.
	// A copy that is too incomplete to be written is an error of the conversion, not a finding.
	Findings []Finding
	// Lost has the paths of fields that the version neither represents nor preserves:
	// status.driverName without an allocation, status.allocation.shareable of a claim without a
	// name, handles that v1alpha2 does not accept, and in a manifest of resource.k8s.io that is
	// converted to v1beta1 or later, status.deallocationRequested. The paths are those of the
	// object's version, or of v1alpha2 if it is v1alpha1.
	Lost []string
	// RestoredSpec is set if the result has the v1 spec that an object in an older version
	// preserved, with the defaults of v1.
	RestoredSpec bool
	// RestoredStatus is set if the result has the v1 status that a claim in an older version
	// preserved, with the edits of the older version.
	RestoredStatus bool
	// Incomplete names the preserved data that does not fit into the result: "spec", "status", "both", or "". If the
	// claim has no allocation, it is "devices" instead of "status", and "spec-and-devices" instead of "both".
	Incomplete string
}
