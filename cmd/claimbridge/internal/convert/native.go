package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/names"
)

// The definitions of claimbridge have a field and take more than Kubernetes' own have and take, from v1beta1 on.

// maxParameters in bytes of a configuration entry is upstream's limit since 1.32 (resourceapi.OpaqueParametersMaxLength).
const maxParameters = 10 * 1024

// tooLarge says which configuration of a claim or a template, of v1beta1 or later, is more than API servers take. What an older
// version had no limit for may be so large, and what claimbridge keeps of it beside that. Claims of groups of one's own may have it.
func tooLarge(object []byte, version string) (reasons []problems.What) {
	if !api.IsNative(version) || len(object) <= maxParameters && bytes.Count(object, []byte(`"opaque":`)) <= v1.DeviceConfigMaxSize {
		return nil // without a look at all of it, as that is a third of a conversion
	}
	claim := treeOf(object)
	if group, _, _ := strings.Cut(claim.textOf("apiVersion"), "/"); group != api.Group {
		return nil
	}
	reasons = tooLargeIn(specOf(claim, claim.textOf("kind")).member("devices", "config"), v1.DeviceConfigMaxSize, "take some out")
	allocated := claim.member("status", "allocation", "devices", "config")
	return append(reasons, tooLargeIn(allocated, v1.AllocationConfigMaxSize, "let the driver deallocate the claim before")...)
}

func tooLargeIn(config *tree, most int, remedy string) (reasons []problems.What) {
	if config == nil {
		return nil
	}
	ours, keep := 0, "keep"
	for _, c := range config.children {
		opaque := c.member("opaque")
		if opaque.textOf("driver") == names.Domain {
			ours++
		}
		if p := opaque.member("parameters"); p != nil && p.end-p.begin > maxParameters {
			reasons = append(reasons, problems.At(finding.ConfigurationTooLarge, p.path(),
				fmt.Sprintf("has %d bytes, and Kubernetes takes %d since 1.32", p.end-p.begin, maxParameters)))
		}
	}
	if ours == 1 {
		keep = "keeps"
	}
	if len(config.children) > most && ours > 0 {
		reasons = append(reasons, problems.At(finding.ConfigurationTooLarge, config.path(),
			fmt.Sprintf("has %d entries, of which %d %s what older versions said, and Kubernetes takes %d; %s", len(config.children), ours, keep, most, remedy)))
	}
	return reasons
}

// A request for deallocation has no field of Kubernetes' own from v1beta1 on, where it is in one of claimbridge's. The driver
// that was asked would never hear of it.
const (
	deallocationRequested = "status.deallocationRequested"
	ownDeallocation       = "claimbridgeDeallocationRequested"
	ownDeallocationPath   = "status." + ownDeallocation
)

func isDeallocation(field string) bool {
	return field == deallocationRequested || field == ownDeallocationPath
}

// deallocation says that a request for it would be lost: by the conversion, or, when the claim has the version already, by an
// API server that drops what it does not know.
func (p *part) deallocation(c *claim) []problems.What {
	lost := func(field, text string) []problems.What {
		return []problems.What{problems.At(finding.DeallocationLost, field, text)}
	}
	if i := slices.IndexFunc(c.report.Lost, isDeallocation); i >= 0 && p.Strict {
		field := c.report.Lost[i]
		return lost(field, p.to+" has no field for it, and it would be lost; let the driver deallocate the claim, or clear status.allocation and "+
			field+", and convert it then; --validate=false drops it")
	}
	if !c.same || c.report.Group != api.Group || !bytes.Contains(c.converted, []byte(ownDeallocation)) { // as good as always
		return nil
	}
	if requested := treeOf(c.converted).member("status", ownDeallocation); requested == nil || requested.is != 't' {
		return nil
	}
	if p.Strict {
		return lost(ownDeallocationPath, "only definitions of claimbridge have this field, and "+p.to+" of "+api.Group+
			" does not; let the driver deallocate the claim, or clear status.allocation and "+ownDeallocationPath+"; --validate=false passes it through")
	}
	return lost(ownDeallocationPath, "passes through, and the API server drops it, since only definitions of claimbridge have this field")
}
