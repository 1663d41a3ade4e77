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

// part returns the part of an object that an operation writes.
func (o Operation) part() string {
	if o == UpdateStatus {
		return "status"
	}
	return "spec"
}

// Request to validate: one write of one object, in the version of the client.
type Request struct {
	Operation Operation
	// Object as JSON; nil on Delete.
	Object []byte
	// OldObject as JSON, in the same version; nil on Create.
	OldObject []byte
	// Release of Kubernetes whose rules are checked, one of [Releases] of the version; empty for its default.
	Release string
	// StoredRelease is the same for the stored version. What is written through another version must keep its rules.
	StoredRelease string
}
