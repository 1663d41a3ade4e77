package migrate

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// A request for deallocation has no field of Kubernetes' own from v1beta1 on, where it is in one of
// claimbridge's. The driver that was asked would never hear of it.
const (
	deallocationRequested = "status.deallocationRequested"
	ownDeallocation       = "claimbridgeDeallocationRequested"
	ownDeallocationPath   = "status." + ownDeallocation
)

func isDeallocation(field string) bool {
	return field == deallocationRequested || field == ownDeallocationPath
}

// deallocation says that a request for it would be lost: by the conversion, or, when the claim has
// the version already, by an API server that drops what it does not know.
func (p *part) deallocation(c *claim) []problems.What {
	lost := func(field, text string) []problems.What {
		return []problems.What{problems.At(finding.DeallocationLost, field, text)}
	}
	if i := slices.IndexFunc(c.report.Lost, isDeallocation); i >= 0 && p.Strict {
		field := c.report.Lost[i]
		return lost(field, p.to+" has no field for it, and it would be lost; let the driver deallocate the claim, "+
			"or clear status.allocation and "+field+", and convert it then; --validate=false drops it")
	}
	if !c.same || c.report.Group != api.Group || !bytes.Contains(c.converted, []byte(ownDeallocation)) {
		return nil // as good as always
	}
	if requested := treeOf(c.converted).member("status", ownDeallocation); requested == nil || requested.is != 't' {
		return nil
	}
	if p.Strict {
		return lost(ownDeallocationPath, "only definitions of claimbridge have this field, and "+p.to+" of "+api.Group+
			" does not; let the driver deallocate the claim, or clear status.allocation and "+ownDeallocationPath+
			"; --validate=false passes it through")
	}
	return lost(ownDeallocationPath,
		"passes through, and the API server drops it, since only definitions of claimbridge have this field")
}
