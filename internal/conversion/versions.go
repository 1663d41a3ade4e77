package conversion

import (
	"slices"

	"github.com/claimbridge/claimbridge/api"
)

// versions are the names of all versions, oldest first.
var versions = api.Names()

// storedVersion is the version of stored objects. The packages hub and preserve convert to it and from it.
var storedVersion = api.Stored().Name

// Versions returns the names of the versions that are converted, oldest first.
func Versions() []string { return slices.Clone(versions) }

// Stored returns the name of the version in which objects are stored.
func Stored() string { return storedVersion }

// indexOf returns the index of a version, or -1 if the version is unknown.
func indexOf(version string) int { return slices.Index(versions, version) }

// isOlder reports whether version a is older than version b.
func isOlder(a, b string) bool { return indexOf(a) < indexOf(b) }
