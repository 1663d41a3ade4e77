package migrate

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/names"
)

// Since v1beta1, the CRDs of claimbridge have higher limits than Kubernetes.

// maxParameters limits the parameters of a configuration entry, in bytes. It is upstream's limit since 1.32
// (resourceapi.OpaqueParametersMaxLength).
const maxParameters = 10 * 1024

// oversizedConfigFindings reports configuration of a claim or a template, of v1beta1 or later, that exceeds the limits
// of Kubernetes. Older versions have no such limit, so their data can exceed it, as can the data that claimbridge
// preserves. Claims of other groups have no such limit.
func (c *Converter) oversizedConfigFindings(o *claimConversion) []findings.Finding {
	if !api.IsLossless(c.version) || len(o.converted) <= maxParameters &&
		bytes.Count(o.converted, []byte(`"opaque":`)) <= v1.DeviceConfigMaxSize {
		return nil // parsing it takes a third of the time of a conversion
	}
	claim := parseNode(o.converted)
	if group, _, _ := strings.Cut(claim.textOf("apiVersion"), "/"); group != api.Group {
		return nil
	}
	requested := specOf(claim, claim.textOf("kind")).member("devices", "config")
	allocated := claim.member("status", "allocation", "devices", "config")
	return append(c.oversizedEntries(o, requested, v1.DeviceConfigMaxSize, "remove some"),
		c.oversizedEntries(o, allocated, v1.AllocationConfigMaxSize,
			"let the driver deallocate the claim before the conversion")...)
}

func (c *Converter) oversizedEntries(
	o *claimConversion, config *jsonNode, limit int, remedy string,
) (all []findings.Finding) {
	if config == nil {
		return nil
	}
	report := func(t *jsonNode, message string) {
		all = append(all, o.asSubject().New(c.rejectionSeverity(), findings.ConfigurationTooLarge, t.path(), message))
	}
	preserved := 0
	for _, entry := range config.children {
		opaque := entry.member("opaque")
		if opaque.textOf("driver") == names.Domain {
			preserved++
		}
		if p := opaque.member("parameters"); p != nil && p.end-p.begin > maxParameters {
			report(p, fmt.Sprintf("has %d bytes, and Kubernetes accepts %d since 1.32", p.end-p.begin, maxParameters))
		}
	}
	if len(config.children) > limit && preserved > 0 {
		report(config, fmt.Sprintf(
			"has %d entries, and Kubernetes accepts %d; %d of them preserve fields of older versions; %s",
			len(config.children), limit, preserved, remedy))
	}
	return all
}
