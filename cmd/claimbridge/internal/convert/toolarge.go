package convert

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/names"
)

// maxParameters in bytes of a configuration entry is upstream's limit since 1.32 (resourceapi.OpaqueParametersMaxLength).
const maxParameters = 10 * 1024

// tooLarge says which configuration of a claim or a template, of v1beta1 or later, is more than API servers take. What an older
// version had no limit for may be so large, and what claimbridge keeps of it beside that. The definitions of claimbridge take
// more, so claims of groups of one's own may have it.
func tooLarge(object []byte, version string) (reasons []problems.What) {
	if !api.IsNative(version) || len(object) <= maxParameters && bytes.Count(object, []byte(`"opaque":`)) <= v1.DeviceConfigMaxSize {
		return nil // without a look at all of it, as that is a third of a conversion
	}
	claim := treeOf(object)
	if group, _, _ := strings.Cut(claim.textOf("apiVersion"), "/"); group != api.Group {
		return nil
	}
	reasons = tooLargeIn(specOf(claim, claim.textOf("kind")).member("devices", "config"), v1.DeviceConfigMaxSize, "take some out")
	return append(reasons, tooLargeIn(claim.member("status", "allocation", "devices", "config"), v1.AllocationConfigMaxSize, "let the driver deallocate the claim before")...)
}

func tooLargeIn(config *tree, most int, remedy string) (reasons []problems.What) {
	if config == nil {
		return nil
	}
	ours := 0
	for _, c := range config.children {
		opaque := c.member("opaque")
		if opaque == nil {
			continue
		}
		if opaque.textOf("driver") == names.Domain {
			ours++
		}
		if p := opaque.member("parameters"); p != nil && p.end-p.begin > maxParameters {
			reasons = append(reasons, problems.At(finding.ConfigurationTooLarge, p.path,
				fmt.Sprintf("has %d bytes, and Kubernetes takes %d since 1.32", p.end-p.begin, maxParameters)))
		}
	}
	if len(config.children) > most && ours > 0 {
		keep := "keep"
		if ours == 1 {
			keep = "keeps"
		}
		reasons = append(reasons, problems.At(finding.ConfigurationTooLarge, config.path,
			fmt.Sprintf("has %d entries, of which %d %s what older versions said, and Kubernetes takes %d; %s", len(config.children), ours, keep, most, remedy)))
	}
	return reasons
}
