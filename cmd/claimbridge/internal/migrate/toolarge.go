package migrate

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

// The definitions of claimbridge have a field and take more than Kubernetes' own have and take, from v1beta1 on.

// maxParameters in bytes of a configuration entry is upstream's limit since 1.32
// (resourceapi.OpaqueParametersMaxLength).
const maxParameters = 10 * 1024

// tooLarge says which configuration of a claim or a template, of v1beta1 or later, is more than API
// servers take. What an older version had no limit for may be so large, and what claimbridge keeps
// of it beside that. Claims of groups of one's own may have it.
func tooLarge(object []byte, version string) (reasons []problems.What) {
	if !api.IsNative(version) || len(object) <= maxParameters &&
		bytes.Count(object, []byte(`"opaque":`)) <= v1.DeviceConfigMaxSize {
		return nil // without a look at all of it, as that is a third of a conversion
	}
	claim := treeOf(object)
	if group, _, _ := strings.Cut(claim.textOf("apiVersion"), "/"); group != api.Group {
		return nil
	}
	reasons = tooLargeIn(specOf(claim, claim.textOf("kind")).member("devices", "config"), v1.DeviceConfigMaxSize,
		"take some out")
	allocated := claim.member("status", "allocation", "devices", "config")
	return append(reasons,
		tooLargeIn(allocated, v1.AllocationConfigMaxSize, "let the driver deallocate the claim before")...)
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
			fmt.Sprintf("has %d entries, of which %d %s what older versions said, and Kubernetes takes %d; %s",
				len(config.children), ours, keep, most, remedy)))
	}
	return reasons
}
