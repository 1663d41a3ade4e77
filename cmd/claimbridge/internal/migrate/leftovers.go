package migrate

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// leftovers reports whether a converted claim may keep what it keeps where no driver looks for it:
// what a stream carries to a cluster, for the way back, is inert configuration in a repository.
// There it is refused, unless it is accepted.
func (p *part) leftovers(c *claim) bool {
	var unread conversion.Unread
	before, native := false, api.HasDevices(c.report.Version)
	if p.inPlace != nil && native && api.HasDevices(p.to) && bytes.Contains(c.raw, []byte("claimbridge.dev")) {
		before = conversion.FindUnread(objectjson.Canonical(c.raw)).Parameters
	}
	if !c.same && api.HasDevices(p.to) {
		unread = conversion.FindUnread(c.converted)
		unread.Parameters, unread.Handle = unread.Parameters && !native, unread.Handle && !native
		unread.Controller = unread.Controller && !api.IsNative(c.report.Version)
		// that of an older one is in the handle's advice
		unread.Allocator = unread.Allocator && c.report.Version == "v1alpha3"
	}
	if !c.same && p.inPlace != nil && !p.inPlace.AcceptLeftovers && !p.withoutLeftovers(c, unread) {
		return false
	}
	// what was there before is no reason not to write, and still no driver reads it
	unread.Parameters = unread.Parameters || before
	if unread != (conversion.Unread{}) || len(c.report.Preserved) > 0 {
		p.advice(c, unread)
	}
	return true
}

// fieldOf a claim, or of the claims that a template makes.
func fieldOf(h conversion.Header, field string) string {
	if h.Kind == api.KindTemplate && strings.HasPrefix(field, "spec.") {
		return "spec." + field
	}
	return field
}

const writeParameters = "write what the parameters ask for (count, selectors, the driver's own configuration) into "

// withoutLeftovers refuses what is kept where no driver looks for it.
func (p *part) withoutLeftovers(c *claim, unread conversion.Unread) bool {
	header := c.header()
	var why []problems.What
	kept := func(is bool, rule finding.Rule, field, what, remedy string) {
		if is {
			why = append(why, problems.At(rule, field, what+"; "+remedy+", or let --accept-leftovers write it"))
		}
	}
	instead := writeParameters + fieldOf(header, "spec.devices") + ", and apiVersion " + api.Group + "/"
	entry := p.to + " has no field for it, and no driver reads the entry of claimbridge.dev that would keep it"
	handles := "status.allocation.resourceHandles"
	if c.report.Version == "v1alpha1" {
		handles = "status.allocation.resourceHandle"
	}
	kept(unread.Parameters, finding.UnreadParameters, fieldOf(header, "spec.parametersRef"), entry, instead+p.to)
	kept(unread.Controller, finding.UnreadController, fieldOf(header, "spec.controller"), entry, "take it out")
	kept(unread.Handle, finding.UnreadHandle, handles, entry, "take the status out")
	kept(unread.Allocator, finding.UnreadAllocator, "status.allocation.controller", entry, "take the status out")
	remedy := "write it in a way that " + p.to + " has"
	if !api.HasDevices(p.to) && api.HasDevices(c.report.Version) {
		remedy = p.to + " has room for one request, which is named claim and has a class and nothing else: write that"
	}
	for _, carried := range c.report.Preserved {
		where, what, _ := strings.Cut(carried, ": ")
		kept(true, finding.UnreadLeftover, where,
			p.to+" has no field for it, and no driver reads it there: "+what, remedy)
	}
	for _, field := range c.report.Lost {
		lost := p.rejectsLoss() && !isDeallocation(field)
		kept(lost, finding.FieldLost, field, "would be dropped, "+p.to+" has no place for it", "take it out")
	}
	if len(why) > 0 {
		p.log.Refuse(c.at, header, why)
	}
	return len(why) == 0
}

// advice prints what is kept where no driver looks for it.
func (p *part) advice(c *claim, unread conversion.Unread) {
	advise := func(is bool, rule finding.Rule, field, text string) {
		if is && !p.log.Enough(rule) { // a dump may be full of it
			p.log.Advise(c.at, c.header(), problems.What{Rule: rule, Field: fieldOf(c.header(), field), Text: text})
		}
	}
	advise(unread.Parameters, finding.UnreadParameters, "spec.parametersRef",
		"parametersRef is kept in an entry of claimbridge.dev that no driver reads; "+writeParameters+
			fieldOf(c.header(), "spec.devices"))
	advise(unread.Handle, finding.UnreadHandle, "status.allocation",
		"the data of a classic handle is kept in an entry of claimbridge.dev that drivers ignore; unprepare and "+
			"deallocate the claim before, or use a driver that reads kind ResourceHandle")
	advise(unread.Controller, finding.UnreadController, "spec.controller",
		fieldOf(c.header(), "spec.controller")+
			" is kept in an entry of claimbridge.dev that nobody reads; since Kubernetes 1.32 the scheduler "+
			"allocates by itself, from the ResourceSlices of a driver that publishes them")
	advise(unread.Allocator, finding.UnreadAllocator, "status.allocation.controller",
		"status.allocation.controller is kept in an entry of claimbridge.dev that nobody reads; let that controller "+
			"deallocate the claim before the upgrade, since nobody does after it")
	advise(len(c.report.Preserved) > 0, finding.UnreadLeftover, "",
		"what "+p.to+" has no field for is kept where no driver reads it, in "+strings.Join(c.report.Preserved, "; "))
}
