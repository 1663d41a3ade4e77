package validation

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/validation/internal/selector"
)

var (
	statusPath       = field.NewPath("status")
	allocationPath   = statusPath.Child("allocation")
	nodeSelectorPath = allocationPath.Child("nodeSelector")

	metadataPath         = field.NewPath("metadata")
	specPath             = field.NewPath("spec")
	templateSpecPath     = specPath.Child("spec")
	templateMetadataPath = specPath.Child("metadata")

	devicesPathOf = map[string]*field.Path{
		claimKind:    specPath.Child("devices"),
		templateKind: templateSpecPath.Child("devices"),
	}
)

// write is one write as rules see it: the object before and after, defaults applied, and where its parts are.
type write struct {
	op Operation
	// contentOnly is set when rules that compare before with after are not asked: about a write as stored.
	contentOnly   bool
	version, kind string
	// release whose rules are asked. Classic versions have one each.
	release release
	// storedRelease is that of the object as stored.
	storedRelease release

	old, new object

	// specPath is where the claim's spec is: spec, or spec.spec in a template.
	specPath *field.Path
	// native is set when all that is stored can be seen in the version: then upstream's rules have compared it.
	native bool
	// keeps is set, of a write as stored, when its allocation was judged before and cannot have changed.
	keeps bool
	// flat is set when what a request asks for stands beside its name.
	flat bool
	// nodesPath is where the allocation's node selector is.
	nodesPath *field.Path
	// metadataPath is where leftovers travel: metadata, or spec.metadata of a template, which claims inherit.
	metadataPath *field.Path

	// selectors judges expressions, within the time and the memory of one write.
	selectors *selector.Write

	// all that is wanted by requests, once somebody has asked.
	all []wanted

	// specUnread is set when the stored spec is of no type that could be read, so that nobody knows its requests.
	specUnread bool

	// What claimbridge's own rules look at, once upstream's have accepted.
	stored    *stored
	shareable bool
}

// object is one claim or template, before the write or after it.
type object struct {
	parts
	// text is the object as JSON, without what an API server drops.
	text []byte
	// opened is the same object, read; nil when there is none.
	opened      *conversion.Opened
	annotations map[string]string // of a claim
	deleting    bool
	// templateMetadata is what a template gives to its claims.
	templateMetadata *metav1.ObjectMeta
}

// parts of a claim or template that rules look at. Those that its version or kind does not have are nil. Versions share
// the types of parts that are the same in them, so that they share the rules.
type parts struct {
	classic       *v1alpha2.ResourceClaimSpec // the spec of v1alpha1 and v1alpha2
	classicStatus *classicStatus

	structured *v1.ResourceClaimSpec // the spec of a version with devices
	allocation *v1.AllocationResult  // likewise
	devices    []v1.AllocatedDeviceStatus
	// keptSpec and keptAllocation are the same before the release drops anything. A custom resource keeps it.
	keptSpec       *v1.ResourceClaimSpec
	keptAllocation *v1.AllocationResult
	// controllers of the spec and of the allocation, which only v1alpha3 has.
	controller, allocationController string

	use   use
	nodes *corev1.NodeSelector
}

// classicStatus is what v1alpha1 and v1alpha2 say about an allocation.
type classicStatus struct {
	allocation any // pointer to the typed value, for comparisons; nil when absent
	driverName string
	handle     string                    // v1alpha1: the only one
	handles    []v1alpha2.ResourceHandle // v1alpha2
	shareable  bool
}

// consumer in the type of v1; it has the same fields in every version.
type consumer = v1.ResourceClaimConsumerReference

// use of a claim: the part of status that all versions have.
type use struct {
	allocated             bool
	consumers             []consumer
	deallocationRequested bool
}

// stored is a write as it would reach storage: in the stored version, old and new.
type stored struct {
	// old and new parts; absent when they cannot be converted because they are incomplete copies.
	// Old ones are absent on Create as well.
	old, new storedParts
	// depth of the new part that the write brings, in levels of JSON.
	depth int
	// numbersFit is set when each number of that part is within a float64.
	numbersFit bool
	// incompleteOld and incompleteNew say why.
	incompleteOld, incompleteNew error
	// reports of converting the old object and the new one, with what is wrong with their leftovers.
	oldReport, report conversion.Report
}

// storedParts are pointers to the types of the stored version; nil when absent.
type storedParts struct{ spec, status any }

// brought is the part that an operation brings.
func (p storedParts) brought(by Operation) any {
	if by == UpdateStatus {
		return p.status
	}
	return p.spec
}
