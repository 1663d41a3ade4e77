package convert

import (
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// withoutLeftovers reports whether a converted claim keeps nothing where no driver looks for it, and refuses it otherwise: what a
// stream carries to a cluster, for the way back, is inert configuration in a repository.
func (p *part) withoutLeftovers(at manifest.Position, raw []byte, report conversion.Report, unread conversion.Unread) bool {
	header, _ := conversion.ReadHeader(raw) // it was converted, so it can be read
	var why []problems.What
	kept := func(is bool, rule finding.Rule, field, what, remedy string) {
		if header.Kind == api.KindTemplate && strings.HasPrefix(field, "spec.") {
			field = "spec." + field
		}
		if is {
			why = append(why, problems.At(rule, field, what+"; "+remedy+", or let --accept-leftovers write it"))
		}
	}
	entry := p.to + " has no field for it, and no driver reads the entry of claimbridge.dev that would keep it"
	kept(unread.Parameters, finding.UnreadParameters, "spec.parametersRef", entry, "write what the parameters ask for (count, selectors, the driver's own configuration) into spec.devices, and apiVersion "+api.Group+"/"+p.to)
	kept(unread.Controller, finding.UnreadController, "spec.controller", entry, "take it out")
	handles := "status.allocation.resourceHandles"
	if report.Version == "v1alpha1" {
		handles = "status.allocation.resourceHandle"
	}
	kept(unread.Handle, finding.UnreadHandle, handles, entry, "take the status out")
	kept(unread.Allocator, finding.UnreadAllocator, "status.allocation.controller", entry, "take the status out")
	instead := "write it in a way that " + p.to + " has"
	if !api.HasDevices(p.to) && api.HasDevices(report.Version) {
		instead = p.to + " has room for one request, which is named claim and has a class and nothing else: write that"
	}
	for _, carried := range report.Carried {
		where, what, _ := strings.Cut(carried, ": ")
		kept(true, finding.UnreadLeftover, where, p.to+" has no field for it, and no driver reads it there: "+what, instead)
	}
	if len(why) > 0 {
		p.log.Refuse(at, header, why)
	}
	return len(why) == 0
}
