package migrate

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// checkPreservedData reports whether a converted claim may be written with the data that is preserved where no driver
// looks for it. In a stream to a cluster, that data is for the reverse conversion. In a repository it is inert
// configuration, which is an error unless it is accepted.
func (c *Converter) checkPreservedData(o *claim, r *Result) (ok bool) {
	var unread conversion.Unread
	before, native := false, api.HasDevices(o.report.Version)
	if c.InPlace && native && api.HasDevices(c.to) && bytes.Contains(o.raw, []byte("claimbridge.dev")) {
		before = conversion.FindUnread(objectjson.Canonical(o.raw)).Parameters
	}
	if !o.hasTarget && api.HasDevices(c.to) {
		unread = conversion.FindUnread(o.converted)
		unread.Parameters, unread.Handle = unread.Parameters && !native, unread.Handle && !native
		unread.Controller = unread.Controller && !api.IsNative(o.report.Version)
		// In older versions, the finding about the handle covers it.
		unread.Allocator = unread.Allocator && o.report.Version == "v1alpha3"
	}
	if !o.hasTarget && c.InPlace && !c.AcceptLeftovers {
		if errs := c.inertData(o, unread); len(errs) > 0 {
			r.fail(errs...)
			return false
		}
	}
	// Data that the file already had is only a warning: no driver reads it either.
	unread.Parameters = unread.Parameters || before
	if unread != (conversion.Unread{}) || len(o.report.Preserved) > 0 {
		r.report(c.adviceOnPreservedData(o, unread)...)
	}
	return true
}

// fieldOf returns a field of a claim, or of the claims that a template creates.
func fieldOf(h conversion.Header, field string) string {
	if h.Kind == api.KindTemplate && strings.HasPrefix(field, "spec.") {
		return "spec." + field
	}
	return field
}

const writeParameters = "write what the parameters ask for (count, selectors, the driver's own configuration) into "

// inertData returns errors about data that is preserved where no driver looks for it.
func (c *Converter) inertData(o *claim, unread conversion.Unread) (errs []findings.Finding) {
	about := o.about()
	header := about.Header
	add := func(isPreserved bool, rule findings.Rule, field, what, remedy string) {
		if isPreserved {
			errs = append(errs, about.New(findings.Error, rule, field,
				what+"; "+remedy+", or let --accept-leftovers write it"))
		}
	}
	replacement := writeParameters + fieldOf(header, "spec.devices") + ", and apiVersion " + api.Group + "/"
	entry := c.to + " has no field for it, and no driver reads the entry of claimbridge.dev that would keep it"
	handles := "status.allocation.resourceHandles"
	if o.report.Version == "v1alpha1" {
		handles = "status.allocation.resourceHandle"
	}
	add(unread.Parameters, findings.UnreadParameters, fieldOf(header, "spec.parametersRef"), entry, replacement+c.to)
	add(unread.Controller, findings.UnreadController, fieldOf(header, "spec.controller"), entry, "take it out")
	add(unread.Handle, findings.UnreadHandle, handles, entry, "take the status out")
	add(unread.Allocator, findings.UnreadAllocator, "status.allocation.controller", entry, "take the status out")
	remedy := "write it in a way that " + c.to + " has"
	if !api.HasDevices(c.to) && api.HasDevices(o.report.Version) {
		remedy = c.to + " has room for one request, which is named claim and has a class and nothing else: write that"
	}
	for _, preserved := range o.report.Preserved {
		where, what, _ := strings.Cut(preserved, ": ")
		add(true, findings.UnreadLeftover, where,
			c.to+" has no field for it, and no driver reads it there: "+what, remedy)
	}
	for _, field := range o.report.Lost {
		isError := c.rejectsLoss() && !isDeallocation(field)
		add(isError, findings.FieldLost, field, "would be dropped, "+c.to+" has no place for it", "take it out")
	}
	return errs
}

// adviceOnPreservedData returns warnings about data that is preserved where no driver looks for it.
func (c *Converter) adviceOnPreservedData(o *claim, unread conversion.Unread) (all []findings.Finding) {
	about := o.about()
	header := about.Header
	advise := func(isPreserved bool, rule findings.Rule, field, sentence string) {
		if isPreserved {
			all = append(all, about.NewSentence(findings.Warning, rule, fieldOf(header, field), sentence))
		}
	}
	advise(unread.Parameters, findings.UnreadParameters, "spec.parametersRef",
		"parametersRef is kept in an entry of claimbridge.dev that no driver reads; "+writeParameters+
			fieldOf(header, "spec.devices"))
	advise(unread.Handle, findings.UnreadHandle, "status.allocation",
		"the data of a classic handle is kept in an entry of claimbridge.dev that drivers ignore; unprepare and "+
			"deallocate the claim before, or use a driver that reads kind ResourceHandle")
	advise(unread.Controller, findings.UnreadController, "spec.controller",
		fieldOf(header, "spec.controller")+
			" is kept in an entry of claimbridge.dev that nobody reads; since Kubernetes 1.32 the scheduler "+
			"allocates by itself, from the ResourceSlices of a driver that publishes them")
	advise(unread.Allocator, findings.UnreadAllocator, "status.allocation.controller",
		"status.allocation.controller is kept in an entry of claimbridge.dev that nobody reads; let that controller "+
			"deallocate the claim before the upgrade, since nobody does after it")
	advise(len(o.report.Preserved) > 0, findings.UnreadLeftover, "",
		"what "+c.to+" has no field for is kept where no driver reads it, in "+strings.Join(o.report.Preserved, "; "))
	return all
}
