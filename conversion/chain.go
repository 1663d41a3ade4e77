package conversion

import (
	"slices"

	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	v1 "github.com/claimbridge/claimbridge/conversion/internal/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/v1alpha2"
	"github.com/claimbridge/claimbridge/conversion/internal/v1alpha3"
	"github.com/claimbridge/claimbridge/conversion/internal/v1beta1"
	"github.com/claimbridge/claimbridge/conversion/internal/v1beta2"
)

// links are the steps between the versions of package api, oldest first.
var links = chain.Chain{
	v1alpha2.Step,
	v1alpha3.Step,
	v1beta1.Step,
	v1beta2.Step,
	v1.Step,
}

// versions that links join, oldest first: those of package api, as a test sees to.
var versions = func() []string {
	names := []string{links[0].Old}
	for _, l := range links {
		names = append(names, l.New)
	}
	return names
}()

// Versions of the chain, oldest first.
func Versions() []string { return slices.Clone(versions) }

// Stored version of the chain: what others say and it does not travels beside them, and comes home
// to it. It is not always the newest one.
func Stored() string { return versions[stored] }

var stored = links.Stored()

// indexOf a version in the chain, or -1.
func indexOf(version string) int { return slices.Index(versions, version) }
