package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation/cel"
)

// input is the input of the checks: one write of one object.
type input struct {
	operation     Operation
	version, kind string
	// release whose rules are checked.
	release Release
	// storedRelease is the release whose rules are checked for the stored version.
	storedRelease Release
	// old and new object, with the defaults of the release and without the fields that it drops. The old one is empty
	// on Create.
	old, new object
	paths    paths
	mode     mode

	// subRequests are the requests and alternatives whose content is validated. declarativeSubRequests are those whose
	// content declarative validation covers, which before 1.37 are the same. A check that upstream generates from a tag
	// in types.go uses declarativeSubRequests, and a check in its validation.go uses subRequests. Both are empty if the
	// write does not validate the spec: on UpdateStatus, and on updates of claims since 1.35.
	subRequests, declarativeSubRequests []subRequest

	// expressions compiles CEL within the limits of one write.
	expressions *cel.Checker
	// stored is the write as it would be stored, for claimbridge's rules.
	stored *storedWrite
}

// mode has properties of an input that do not follow from the request.
type mode struct {
	// contentOnly is set for a write as stored. Rules that compare the old object with the new one do not apply.
	contentOnly bool
	// skipsAllocation is set for a write as stored whose allocation was validated before and is unchanged.
	skipsAllocation bool
	// isSpecUnreadable is set when the stored spec cannot be read, so that its requests are unknown.
	isSpecUnreadable bool
}

// paths are the paths of the parts of an object, by its kind and version.
type paths struct {
	// metadata is the path of the metadata whose annotations preserve data: metadata, or spec.metadata in a template,
	// which is the metadata of its claims.
	metadata *field.Path
	// spec is the path of the claim's spec: spec, or spec.spec in a template.
	spec *field.Path
	// devices is a child of spec.
	devices *field.Path
	// nodeSelector is the path of the allocation's node selector.
	nodeSelector *field.Path
}

var (
	metadataPath    = field.NewPath("metadata")
	specPath        = field.NewPath("spec")
	statusPath      = field.NewPath("status")
	allocationPath  = statusPath.Child("allocation")
	devicesPath     = statusPath.Child("devices")
	reservedForPath = statusPath.Child("reservedFor")

	nodeSelectorPath     = allocationPath.Child("nodeSelector")
	availableOnNodesPath = allocationPath.Child("availableOnNodes") // in v1alpha1 and v1alpha2
)

func pathsOf(version, kind string) paths {
	p := paths{metadata: metadataPath, spec: specPath, nodeSelector: nodeSelectorPath}
	if kind == templateKind {
		p.metadata = specPath.Child("metadata")
		p.spec = specPath.Child("spec")
	}
	p.devices = p.spec.Child("devices")
	if !api.HasDevices(version) {
		p.nodeSelector = availableOnNodesPath
	}
	return p
}

// operations is a set of write operations, which a rule is checked on.
type operations uint8

const (
	onCreate operations = 1 << iota
	onUpdate
	onStatus
	// onImmutableUpdate is an update of a claim since 1.35, which validates only that the spec is unchanged.
	onImmutableUpdate

	onSpec = onCreate | onUpdate
	onAny  = onSpec | onStatus
)

var operationsOf = map[Operation]operations{Create: onCreate, Update: onUpdate, UpdateStatus: onStatus}

// upstreamOperations returns the operation of the write for upstream's rules: since 1.35, an update of a claim is
// onImmutableUpdate.
func (in *input) upstreamOperations() operations {
	if in.operation == Update && in.kind == claimKind && in.release.skipsContentOfUnchangedSpecs() {
		return onImmutableUpdate
	}
	return operationsOf[in.operation]
}

// isUnchangedTemplate reports whether a write updates a template without changing its spec, including fields that the
// release drops. A stored template may exceed limits that were added later. Clients must still be able to write its
// labels and finalizers. For claims, releases since 1.35 ensure that.
func (in *input) isUnchangedTemplate() bool {
	return in.operation == Update && in.kind == templateKind && in.old.parsed != nil && in.new.parsed != nil &&
		in.hasSameSpec() && semantic.DeepEqual(in.old.completeSpec, in.new.completeSpec)
}

// isLossless reports whether the version represents all stored data. Upstream's rules have then compared all of it.
func (in *input) isLossless() bool { return api.IsLossless(in.version) }

// hasFlatRequests reports whether requests have their fields next to the name, without exactly.
func (in *input) hasFlatRequests() bool {
	return api.HasDevices(in.version) && !api.HasExactly(in.version)
}

// subRequest has the fields of a request or of one of its alternatives. Both have the same rules.
type subRequest struct {
	*v1.DeviceSubRequest
	// request that it belongs to.
	request       *v1.DeviceRequest
	isAlternative bool
	// isAmbiguous is set when the request has both exactly and firstAvailable.
	isAmbiguous bool
	path        *field.Path
}

// readSubRequests sets subRequests and declarativeSubRequests.
func (in *input) readSubRequests() {
	if in.new.spec == nil || in.upstreamOperations()&onSpec == 0 {
		return
	}
	in.subRequests = in.subRequestsOf(func(r *v1.DeviceRequest) bool {
		return isAmbiguous(r) && in.release.skipsAmbiguousRequests()
	})
	in.declarativeSubRequests = in.subRequests
	if in.isDeclarative() {
		in.declarativeSubRequests = in.subRequestsOf(in.skipsAmbiguous)
	}
}

// subRequestsOf returns the subrequests of all requests but those to skip.
func (in *input) subRequestsOf(skip func(r *v1.DeviceRequest) bool) []subRequest {
	requests := in.requests()
	count := 0
	for i := range requests {
		count += 1 + len(requests[i].FirstAvailable)
	}
	all := make([]subRequest, 0, count)
	for i := range requests {
		r := &requests[i]
		if skip(r) {
			continue
		}
		path := in.requestPath(i)
		if e := r.Exactly; e != nil {
			s := subRequest{DeviceSubRequest: asSubRequest(e), request: r, isAmbiguous: isAmbiguous(r), path: path}
			if in.release.hasExactlyInPaths() {
				s.path = path.Child("exactly")
			}
			all = append(all, s)
		}
		alternatives := validatedItems(in, r.FirstAvailable, v1.FirstAvailableDeviceRequestMaxSize)
		for j := range alternatives {
			all = append(all, subRequest{
				DeviceSubRequest: &alternatives[j], request: r, isAlternative: true, isAmbiguous: isAmbiguous(r),
				path: path.Child("firstAvailable").Index(j),
			})
		}
	}
	return all
}

// asSubRequest returns an exact request as a subrequest, with the fields that both types have. AdminAccess is omitted,
// because no rule checks it.
func asSubRequest(e *v1.ExactDeviceRequest) *v1.DeviceSubRequest {
	return &v1.DeviceSubRequest{
		DeviceClassName: e.DeviceClassName, Selectors: e.Selectors, AllocationMode: e.AllocationMode, Count: e.Count,
		Tolerations: e.Tolerations, Capacity: e.Capacity, DerivedAttributes: e.DerivedAttributes,
	}
}

// storedWrite is a write as it would be stored: the old and the new object in the stored version.
type storedWrite struct {
	// old and new parts. They are absent when they cannot be converted because the copy is incomplete. Old ones are
	// absent on Create as well.
	old, new storedParts
	// depth is the nesting depth of the JSON of the new part that the operation writes, see nestingOf.
	depth int
	// hasUnreadableNumbers is set when a number in that part is outside the range of a float64.
	hasUnreadableNumbers bool
	// incompleteOld and incompleteNew are the reasons why parts are absent.
	incompleteOld, incompleteNew error
	// oldReport and report are the reports of converting the old and the new object, with errors in preserved data.
	oldReport, report conversion.Report
	// addsConsumerToUnshareable is set when the write adds a second consumer to a claim that cannot be shared.
	addsConsumerToUnshareable bool
}

// storedParts are pointers to types of the stored version. Each is nil if the part is absent.
type storedParts struct{ spec, status any }

// writtenBy returns the part that an operation writes.
func (p storedParts) writtenBy(operation Operation) any {
	if operation == UpdateStatus {
		return p.status
	}
	return p.spec
}
