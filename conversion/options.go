package conversion

// Options of a conversion. The zero value suits a conversion webhook.
type Options struct {
	// Strict makes unknown and duplicate fields errors, also when the object has the wanted version already. Default:
	// they are dropped and reported, as an API server does that was not asked for strict field validation.
	Strict bool
	// AnnotationsOnly writes no field that only claimbridge's own definitions declare: status
	// leftovers stay out of status.claimbridgeLeftover, and in resource.k8s.io, which has no
	// definitions of claimbridge's, deallocationRequested is lost from v1beta1 on. For files that
	// go to an API server that does not know these fields. As nobody has judged a file, one with
	// more handles, or more data in one, than v1alpha2 takes is refused: it would not come back.
	AnnotationsOnly bool
	// OmitDefaults adds no default that the API server of the wanted version sets by itself, so
	// that a text has nothing which its author did not write. A default that the object spells out
	// stays where the version has a field for it.
	OmitDefaults bool
	// TrimMetadata leaves out of the answer's metadata what kube-apiserver restores by itself: all but name,
	// generateName, namespace, uid, labels and annotations.
	TrimMetadata bool
	// Bare converts what an object itself says and nothing else: going down what is left over is
	// dropped, and in both directions no annotation, label or field of claimbridge's is added,
	// looked at or taken away. For who only looks, as package lens does.
	Bare bool
	// Request that an allocation of v1alpha1 or v1alpha2 is for, going up; these versions do not
	// name one. Default: the first one that the converted spec has, which is another one than the
	// stored claim has where the spec says more than these versions can.
	Request string
	// Carried fills in Report.Carried.
	Carried bool
	// Inspect fills in Report.Findings of a conversion to the stored version, also when the object
	// has it already and when the conversion is refused with ErrIncomplete.
	Inspect bool
}

// Report says what a conversion did beside converting. It names paths, never values.
type Report struct {
	// Group and Version of the object.
	Group, Version string
	// Unknown fields of the input that the answer does not have, as field paths. An object that has the wanted version
	// already keeps all its fields, so there are none to report.
	Unknown []string
	// Ignored leftovers: malformed, out of place, or of another spec than the one that is there, each with its path and
	// why. Somebody broke or forged them.
	Ignored []string
	// Stale leftovers of a status: of another allocation than the one that is there, or of another claim. An edit beat
	// them, as it should, or the claim was restored from a backup.
	Stale []string
	// Carried leftovers of the answer, each with its path and what it holds, if the options ask for them.
	Carried []string
	// Findings are what [Inspect] says of the object, if the options ask for it.
	Findings []Finding
	// Lost fields that have no home in the target version: status.driverName without allocation,
	// and with AnnotationsOnly status.deallocationRequested of resource.k8s.io from v1beta1 on, by
	// its name in the version that the object had.
	Lost []string
	// RestoredSpec is set when the annotation claimbridge.dev/v1-spec held the v1 spec of an object
	// in an older version. The spec of the answer is that one, with the defaults of v1.
	RestoredSpec bool
	// RestoredStatus is set when status.claimbridgeLeftover, or the annotation
	// claimbridge.dev/v1-status, held the v1 status of a claim in an older version. The status of
	// the answer is that one, with what the older version has changed.
	RestoredStatus bool
	// Incomplete is "spec", "status" or "both" when the answer had no room for its leftovers, else
	// empty; "devices" instead of "status", and "spec-and-devices" instead of "both", when the
	// claim has no allocation.
	Incomplete string
}
