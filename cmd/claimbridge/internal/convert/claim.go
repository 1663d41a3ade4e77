package convert

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// converter is what parts are converted to, and how. It does not change, but for what it counts.
type converter struct {
	to              string // version
	target          release.Target
	output          *manifest.Writer // only asked for parts
	groups          claims.Groups
	strict, explain bool
	also            bool // look for mentions in texts
	// inFiles is set when texts stay in their files, and refuses to write leftovers there unless they are accepted.
	inFiles, acceptLeftovers bool
	full                     problems.Full
	patches                  kustomization.Patches
	named                    func(file string) bool // whether a file is read whatever leaves it out
	reports                  *report.Set
	// objects counts claims and templates while they are converted.
	objects *atomic.Int64
	parts   sync.Pool // of *part, to be used again
}

// claim converts one claim or template, which is the same if it has the version already. The answer is valid until the
// next call. When it is not ok, the reason was printed.
func (p *part) claim(raw []byte, at manifest.Position) (converted []byte, same, ok bool) {
	p.objects.Add(1)
	p.seen++
	converted, report, err := conversion.Append(p.converted[:0], raw, p.to, conversion.Options{
		Strict: p.strict, AnnotationsOnly: true, OmitDefaults: true, Carried: true,
	})
	p.converted = converted
	same = report.Version == p.to
	if is, stays := p.mergePatch(at, raw, report, err); is {
		return raw, stays, stays
	}
	var doubts []problems.What
	if err == nil {
		doubts = p.doubts(at, raw, converted, report)
	}
	// What was there before is no reason not to write, and still no driver reads it.
	var unread, before conversion.Unread
	if err == nil && p.inFiles && api.HasDevices(p.to) && api.HasDevices(report.Version) && bytes.Contains(raw, []byte("claimbridge.dev")) {
		before.Parameters = conversion.FindUnread(kjson.Canonical(raw)).Parameters
	}
	if err == nil && !same && api.HasDevices(p.to) {
		unread = conversion.FindUnread(converted)
		if api.HasDevices(report.Version) {
			unread.Parameters, unread.Handle = false, false
		}
		unread.Controller = unread.Controller && !api.IsNative(report.Version)
		unread.Allocator = unread.Allocator && report.Version == "v1alpha3" // that of an older one is in the handle's advice
	}
	lost := len(report.Unknown)+len(report.Ignored)+len(report.Stale)+len(report.Lost) > 0 || report.Incomplete != ""
	ok = true
	if err != nil || lost || len(doubts) > 0 || p.explain {
		ok = p.report(at, raw, report, doubts, err)
	}
	if err == nil && p.target.Release != "" {
		p.dropped(at, raw, converted, ok)
	}
	if ok && !same && p.inFiles && !p.acceptLeftovers {
		ok = p.withoutLeftovers(at, raw, report, unread)
	}
	if ok {
		unread.Parameters = unread.Parameters || before.Parameters
		p.advice(at, raw, report, unread)
		if report.Group == api.Group {
			p.adminAccess(at, raw, converted)
		}
		p.done(at, raw, report.Version)
		if p.inFiles {
			header, _ := conversion.ReadHeader(raw) // as above
			p.file(at, header, raw)
		}
	}
	switch {
	case !ok:
	case same:
		p.same++
	default:
		p.tally.converted++
	}
	return converted, same, ok
}

// report says whether a claim failed, and prints what there is to say about it.
func (p *part) report(at manifest.Position, raw []byte, report conversion.Report, doubts []problems.What, err error) (ok bool) {
	header, unreadable := conversion.ReadHeader(raw)
	switch {
	case unreadable != nil:
		err = unreadable
	case err == nil && report.Incomplete != "" && p.strict:
		p.log.Refuse(at, header, []problems.What{problems.At(finding.LeftoversDoNotFit, report.Incomplete,
			fmt.Sprintf("what %s has no field for is more than annotations may hold; convert it to a version that has the fields, or drop it with --validate=false", p.to))})
		return false
	}
	if err != nil {
		p.log.Object(at, header, err)
		return false
	}
	if len(doubts) > 0 && p.strict {
		p.log.Refuse(at, header, doubts)
		return false
	}
	for _, doubt := range doubts {
		p.log.Warn(at, header, doubt)
	}
	p.losses(at, header, report)
	if p.explain {
		p.moves(at, header, raw, report)
	}
	return true
}

// losses prints what got lost.
func (p *part) losses(at manifest.Position, h conversion.Header, report conversion.Report) {
	for _, field := range report.Unknown {
		rule, what, _ := problems.WrongField(h, field)
		p.log.Warn(at, h, problems.At(rule, field, "dropped: "+what))
	}
	for _, field := range report.Lost {
		if !isDeallocation(field) || !p.strict {
			p.log.Warn(at, h, problems.At(finding.FieldLost, field, "dropped, "+p.to+" has no place for it"))
		}
	}
	for _, leftover := range slices.Concat(report.Ignored, report.Stale) {
		p.log.Warn(at, h, problems.What{Rule: finding.LeftoverIgnored, Text: "leftover ignored: " + leftover})
	}
	if report.Incomplete != "" {
		p.log.Warn(at, h, problems.At(finding.LeftoversDoNotFit, report.Incomplete, "leftovers dropped, annotations have no room for them; do not write this copy back"))
	}
}

// advice prints what is kept where no driver looks for it. A dump may be full of it, so the header is read only when a
// warning is printed.
func (p *part) advice(at manifest.Position, raw []byte, report conversion.Report, unread conversion.Unread) {
	if unread.Parameters {
		header, _ := conversion.ReadHeader(raw) // as above
		claim := raw
		if api.HasDevices(report.Version) { // the entry says it as v1alpha2 does
			claim, _, _ = conversion.Append(nil, raw, "v1alpha2", conversion.Options{AnnotationsOnly: true}) // none is none
		}
		p.compared.refer(at, header, claim)
	}
	if unread == (conversion.Unread{}) && len(report.Carried) == 0 {
		return
	}
	for _, u := range []struct {
		is          bool
		rule        finding.Rule
		field, text string
	}{
		{unread.Parameters, finding.UnreadParameters, "spec.parametersRef", "parametersRef is kept in an entry of claimbridge.dev that no driver reads; write what the parameters ask for (count, selectors, the driver's own configuration) into spec.devices"},
		{unread.Handle, finding.UnreadHandle, "status.allocation", "the data of a classic handle is kept in an entry of claimbridge.dev that drivers ignore; unprepare and deallocate the claim before, or use a driver that reads kind ResourceHandle"},
		{unread.Controller, finding.UnreadController, "spec.controller", "spec.controller is kept in an entry of claimbridge.dev that nobody reads; since Kubernetes 1.32 the scheduler allocates by itself, from the ResourceSlices of a driver that publishes them"},
		{unread.Allocator, finding.UnreadAllocator, "status.allocation.controller", "status.allocation.controller is kept in an entry of claimbridge.dev that nobody reads; let that controller deallocate the claim before the upgrade, since nobody does after it"},
		{len(report.Carried) > 0, finding.UnreadLeftover, "", "what " + p.to + " has no field for is kept where no driver reads it, in " + strings.Join(report.Carried, "; ")},
	} {
		if !u.is || p.log.Enough(u.rule) {
			continue
		}
		header, _ := conversion.ReadHeader(raw) // it was converted, so it can be read
		if header.Kind == api.KindTemplate && strings.HasPrefix(u.field, "spec.") {
			u.field = "spec." + u.field
		}
		p.log.Advise(at, header, problems.What{Rule: u.rule, Field: u.field, Text: u.text})
	}
}

// moves prints what went where.
func (p *part) moves(at manifest.Position, h conversion.Header, raw []byte, report conversion.Report) {
	if h.Version == p.to {
		p.log.Note(at, h, "has version "+p.to+" already")
		return
	}
	p.log.Note(at, h, h.Version+" to "+p.to)
	moves, err := conversion.Explain(raw, p.to)
	for _, move := range moves {
		p.log.Line(fmt.Sprint("  moved    ", move))
	}
	if err != nil { // it was converted, so this is for the intermediate versions only
		p.log.Line(fmt.Sprint("  and more: ", err))
	}
	for _, leftover := range report.Carried {
		p.log.Line(fmt.Sprint("  carried  ", leftover))
	}
}
