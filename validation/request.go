package validation

import "github.com/claimbridge/claimbridge/api"

const (
	claimKind    = api.KindClaim
	templateKind = api.KindTemplate
)

// Operation is an operation on an object.
type Operation string

const (
	// Create is a create. The status is ignored, because the API server drops it.
	Create Operation = "CREATE"
	// Update is an update of the main resource. The new status is ignored, because the API server restores the old one.
	Update Operation = "UPDATE"
	// UpdateStatus is an update of the status subresource of a claim. Templates have none. The new metadata and spec
	// are ignored, because the API server restores the old ones.
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

// otherPart returns the part of an object that an operation does not write.
func (o Operation) otherPart() string {
	if o == UpdateStatus {
		return "spec"
	}
	return "status"
}

// Request is one write of one object, in the version of the client.
type Request struct {
	Operation Operation
	// Object is the object as JSON. It is nil on Delete.
	Object []byte
	// OldObject is the old object as JSON, in the same version. It is nil on Create.
	OldObject []byte
	// Release is the Kubernetes release whose rules are checked, one of [Releases] of the version. If it is empty, the
	// default of the version is used.
	Release string
	// StoredRelease is the same for the stored version, in which an object must be valid too.
	StoredRelease string
}
