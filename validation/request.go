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

// Request to judge: one write of one object, in the version it was sent in.
type Request struct {
	Operation Operation
	// Object as JSON; nil on Delete.
	Object []byte
	// OldObject as JSON, in the same version; nil on Create.
	OldObject []byte
}

// operations is a set of those on which a rule is asked.
type operations uint8

const (
	onCreate operations = 1 << iota
	onUpdate
	onStatus

	onSpec = onCreate | onUpdate
	onAny  = onSpec | onStatus
)

func setOf(o Operation) operations {
	switch o {
	case Create:
		return onCreate
	case Update:
		return onUpdate
	case UpdateStatus:
		return onStatus
	}
	return 0
}
