package validation

import "github.com/claimbridge/claimbridge/api"

const (
	claimKind    = api.KindClaim
	templateKind = api.KindTemplate
)

// Operation on an object.
type Operation string

const (
	// Create of an object. Its status is ignored, as the API server drops it.
	Create Operation = "CREATE"
	// Update of the main resource. The new status is ignored, as the API server restores the old one.
	Update Operation = "UPDATE"
	// UpdateStatus is a write to the status subresource of a claim; templates have none. The new metadata and spec
	// are ignored, as the API server restores the old ones.
	UpdateStatus Operation = "UPDATE_STATUS"
	// Delete is always allowed.
	Delete Operation = "DELETE"
)

// part of an object that an operation brings.
func (o Operation) part() string {
	if o == UpdateStatus {
		return "status"
	}
	return "spec"
}

// Request to judge: one write of one object, in the version it was sent in.
type Request struct {
	Operation Operation
	// Object as JSON; nil on Delete.
	Object []byte
	// OldObject as JSON, in the same version; nil on Create.
	OldObject []byte
	// Release of Kubernetes whose rules are asked, one of [Releases] of the version; empty for its default.
	Release string
	// StoredRelease is the same for the version in which others are stored, so that what is written through that
	// one keeps the rules that its writes will be judged by.
	StoredRelease string
}

// operations is a set of those on which a rule is asked.
type operations uint8

const (
	onCreate operations = 1 << iota
	onUpdate
	onStatus
	// onKept is an update of a claim in a release that does not look at the content of a spec that
	// cannot change: 1.35 and later.
	onKept

	onSpec = onCreate | onUpdate
	onAny  = onSpec | onStatus
)

var setOf = map[Operation]operations{Create: onCreate, Update: onUpdate, UpdateStatus: onStatus}
