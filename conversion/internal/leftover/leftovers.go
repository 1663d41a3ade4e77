// Package leftover holds what travels beside a copy in an older version: what is stored of an
// object, where the version cannot say it all, and what is done where that does not fit.
package leftover

import (
	"fmt"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// Leftovers are what travels beside one object.
type Leftovers struct {
	// Meta holds the annotations: an object's own, or spec.metadata of a template, since controllers copy that into
	// claims. Path is where it stands.
	Meta *kjson.Metadata
	Path string
	UID  string
	// DeletedByWrite is set when the object has a deletionTimestamp and no finalizers. An API server that is asked to
	// write such an object deletes it, so nothing that the copy lacks is needed any more.
	DeletedByWrite bool
	// UnlimitedAnnotations is set when no API server limits the size of the annotations: those that a template has for
	// its claims.
	UnlimitedAnnotations bool
	// IsFragment is set for an object without a uid. Server-side apply converts such parts of
	// objects, to find out which fields belong to whom, and an API server stores none.
	IsFragment bool
	// ReportCarried is set to fill in Carried.
	ReportCarried bool

	// Ignored is what could not be used.
	Ignored []Ignored
	// Carried is what the answer carries, each with its path and its bytes.
	Carried []string

	// field is set when status.claimbridgeLeftover said what is stored.
	field   bool
	missing incomplete
	// labelDigest and annotationDigest are the digest of the spec in the field, as the label and
	// the annotation have it.
	labelDigest, annotationDigest string
	// digestDiffers is set when the field has a spec of another digest: label and annotation do not belong to the copy.
	digestDiffers bool
}

func (l *Leftovers) carry(path string, kind Kind, bytes int) {
	if l.ReportCarried {
		l.Carried = append(l.Carried, fmt.Sprintf("%s: %s part, %d bytes", path, kind, bytes))
	}
}

// Finding is something wrong with a leftover on an object as a client sent it.
type Finding struct {
	// Field is the path of the annotation, label, field or configuration entry.
	Field string
	// Problem in words, without values.
	Problem string
}
