// Package v1 is the step from v1beta2 to v1 and back. For claims the two are the same in every release.
package v1

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
)

// Step from v1beta2.
var Step = chain.Step{
	Old: v1beta2.GroupVersion.Version, OldParts: Parts,
	New: v1.GroupVersion.Version, NewParts: Parts,
	Up: Completed, Down: Completed,
}
