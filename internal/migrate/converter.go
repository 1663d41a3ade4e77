package migrate

import (
	"strings"

	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/internal/release"
)

// Options of a conversion.
type Options struct {
	// To is the version, and the release if there is one. If Validate is set, objects that the release would reject are
	// not written. Otherwise they are written with a warning.
	To     release.Target
	Groups claims.Groups
	// Validate rejects unknown fields, duplicate keys, data that exceeds the limits of annotations, entries that no API
	// server accepts, and values that the release rejects. In a stream, a field that no version preserves is still
	// dropped, with a field-lost warning.
	Validate bool
	// Explain adds notes about where fields moved.
	Explain bool
	// KeepText is set if a YAML document is written as its edited text, and not generated from the object.
	KeepText bool
	// InPlace is set if documents are edited in their files. Writes is set if these files are written.
	InPlace, Writes bool
	// AcceptLeftovers allows preserved data that no driver reads in files.
	AcceptLeftovers bool
	// Input has the files that the documents are from.
	Input *input.Input
}

// Converter converts documents to a version. It is safe for concurrent use: its only state is caches about
// kustomizations.
type Converter struct {
	Options
	version        string // the version of To
	kustomizations *kustomization.Index
	bases          *bases
	skipBaseCheck  bool // set while a base itself is converted, to avoid recursion
}

// New returns a converter.
func New(o Options) *Converter {
	return &Converter{Options: o, version: o.To.Version, kustomizations: &kustomization.Index{}, bases: &bases{}}
}

// fixedVersion returns the finding about an object of another version that is converted, or is to be converted if
// nothing is written.
func (c *Converter) fixedVersion(s findings.Subject, rule findings.Rule, version string) findings.Finding {
	if c.InPlace && !c.Writes {
		return s.NewFixed(rule, "apiVersion", "is "+version+": convert it to "+c.version)
	}
	return s.NewFixed(rule, "apiVersion", "converted from "+version+" to "+c.version)
}

// versionIn returns the version in an apiVersion.
func versionIn(apiVersion string) string {
	_, version, _ := strings.Cut(apiVersion, "/")
	return version
}
