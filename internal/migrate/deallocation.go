package migrate

import (
	"bytes"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/findings"
)

// Since v1beta1, Kubernetes has no field for a request for deallocation. The CRDs of claimbridge have one. A
// driver would never see a request that is lost.
const (
	deallocationRequested = "status.deallocationRequested"
	crdDeallocationField  = "claimbridgeDeallocationRequested"
	crdDeallocationPath   = "status." + crdDeallocationField
)

func isDeallocation(field string) bool {
	return field == deallocationRequested || field == crdDeallocationPath
}

// lostDeallocation reports a request for deallocation that would be lost: by the conversion or, if the claim has the
// target version already, by an API server that drops an unknown field.
func (c *Converter) lostDeallocation(o *claimConversion) []findings.Finding {
	lost := func(field, message string) []findings.Finding {
		return []findings.Finding{o.asSubject().New(c.rejectionSeverity(), findings.DeallocationWouldBeLost, field, message)}
	}
	if i := slices.IndexFunc(o.report.Lost, isDeallocation); i >= 0 && c.Validate {
		field := o.report.Lost[i]
		return lost(field, c.version+" has no field for it, and it would be lost; let the driver deallocate the "+
			"claim, or clear status.allocation and "+field+", and convert it then; --validate=false drops it")
	}
	if !o.hasTarget || o.report.Group != api.Group || !bytes.Contains(o.converted, []byte(crdDeallocationField)) {
		return nil // the usual case
	}
	requested := parseNode(o.converted).member("status", crdDeallocationField)
	switch {
	case requested == nil || requested.kind != jsonTrue:
		return nil
	case c.Validate:
		return lost(crdDeallocationPath, "only the CRDs of claimbridge have this field, and "+c.version+" of "+
			api.Group+" does not; let the driver deallocate the claim, or clear status.allocation and "+
			crdDeallocationPath+"; --validate=false passes it through")
	}
	return lost(crdDeallocationPath,
		"is unchanged, and the API server drops it, because only the CRDs of claimbridge have this field")
}
