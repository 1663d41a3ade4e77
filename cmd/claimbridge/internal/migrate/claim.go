package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// claim converts one claim or template, which is the same if it has the version already. The answer is valid until the
// next call. When it is not ok, the reason was printed.
func (p *part) claim(raw []byte, at yamldoc.Position) (converted []byte, same, ok bool) {
	p.objects.Add(1)
	p.seen++
	c := &claim{at: at, raw: raw}
	err := p.convert(c)
	p.converted, c.same = c.converted, c.report.Version == p.to
	if is, stays := p.mergePatch(c, err); is {
		return raw, stays, stays
	}
	if err != nil {
		header, unreadable := conversion.ReadHeader(raw)
		p.log.Object(at, header, cmp.Or(unreadable, err))
		return nil, false, false
	}
	if ok = p.accepts(c); ok {
		p.losses(c)
		if p.Explain {
			p.moves(c)
		}
	}
	if p.To.Release != "" {
		p.dropped(c, ok)
	}
	if ok = ok && p.leftovers(c) && p.restoreVariables(c); ok {
		p.written(c)
		if !c.same {
			c.converted = p.asAuthored(c)
		}
	}
	return c.converted, c.same, ok
}

// claimPatch converts a strategic merge patch of a claim or template. A patch that deletes the whole object has no
// fields, so only its apiVersion is converted.
func (p *part) claimPatch(raw []byte, at yamldoc.Position) (converted []byte, same, ok bool) {
	header, err := conversion.ReadHeader(raw)
	_, isKnown := api.Find(header.Version)
	if err != nil || !isKnown || !isDeletion(raw) {
		return p.claim(raw, at)
	}
	c := &claim{at: at, raw: raw, converted: raw, same: header.Version == p.to}
	c.report.Version = header.Version
	p.objects.Add(1)
	p.seen++
	if base := p.unconvertedBaseOfPatch(at.File); base != "" && !c.same {
		p.log.Refuse(at, header, []problems.What{baseIsNotConverted(base)})
		return nil, false, false
	}
	apiVersion := treeOf(raw).member("apiVersion")
	quoted := objectjson.Quote(header.Group + "/" + p.to)
	c.converted = changedText(raw, []change{{apiVersion.begin, apiVersion.end, quoted}})
	p.written(c)
	return c.converted, c.same, true
}

// isDeletion reports whether a strategic merge patch deletes an object as a whole, and has nothing but that.
func isDeletion(patch []byte) bool {
	members, twice, err := objectjson.Members(patch)
	isOther := func(m objectjson.Member) bool {
		return !slices.Contains([]string{"apiVersion", "kind", "metadata", patchDirective}, m.Name)
	}
	return err == nil && len(twice) == 0 && !slices.ContainsFunc(members, isOther) &&
		string(objectjson.Get(members, patchDirective)) == `"delete"`
}

// patchDirective is the member of a strategic merge patch that says what to do with an object.
const patchDirective = "$patch"

// mergePatch reports whether what was taken for a claim has directives of a strategic-merge patch,
// like spec.$retainKeys. What is converted without them would not delete any more, but create. One
// that has the version stays, if it has no other unknown field.
func (p *part) mergePatch(c *claim, err error) (is, stays bool) {
	unknown := c.report.Unknown
	if e, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		unknown = e.Fields
	}
	isDirective := func(path string) bool { return strings.HasPrefix(path[strings.LastIndex(path, ".")+1:], "$") }
	first := slices.IndexFunc(unknown, isDirective)
	if first < 0 {
		return false, false
	}
	others := slices.DeleteFunc(slices.Clone(unknown), isDirective)
	switch {
	case !c.same:
		const text = "makes this a strategic-merge patch and no claim: change its apiVersion, and the fields that it " +
			"patches, by hand"
		p.log.Refuse(c.at, c.header(), []problems.What{problems.At(finding.StrategicMergePatch, unknown[first], text)})
	case len(others) > 0:
		p.log.Object(c.at, c.header(), &conversion.UnknownFieldError{Fields: others})
	default:
		p.same++
		return true, true
	}
	return true, false
}

// accepts reports whether nothing speaks against a claim that was converted, and prints what does:
// with --validate=false that is no more than a warning.
func (p *part) accepts(c *claim) bool {
	doubts := p.doubts(c)
	if p.Strict && c.report.Incomplete != "" {
		text := "what " + p.to + " has no field for is more than annotations may hold; convert it to a version that " +
			"has the fields, or drop it with --validate=false"
		doubts = []problems.What{problems.At(finding.LeftoversDoNotFit, c.report.Incomplete, text)}
	}
	if p.Strict && len(doubts) > 0 {
		p.log.Refuse(c.at, c.header(), doubts)
		return false
	}
	for _, doubt := range doubts {
		p.log.Warn(c.at, c.header(), doubt)
	}
	return true
}

// losses prints what got lost.
func (p *part) losses(c *claim) {
	warn := func(what problems.What) { p.log.Warn(c.at, c.header(), what) }
	for _, field := range c.report.Unknown {
		rule, what, _ := problems.WrongField(c.header(), field)
		warn(problems.At(rule, field, "dropped: "+what))
	}
	for _, field := range c.report.Lost {
		if (!isDeallocation(field) || !p.Strict) && !p.rejectsLoss() {
			warn(problems.At(finding.FieldLost, field, "dropped, "+p.to+" has no place for it"))
		}
	}
	for _, leftover := range slices.Concat(c.report.Ignored, c.report.Stale) {
		warn(problems.What{Rule: finding.LeftoverIgnored, Text: "leftover ignored: " + leftover})
	}
	if c.report.Incomplete != "" {
		warn(problems.At(finding.LeftoversDoNotFit, c.report.Incomplete,
			"leftovers dropped, annotations have no room for them; do not write this copy back"))
	}
}

// rejectsLoss reports whether a field that the version has no place for is an error: nothing would bring it back.
func (p *part) rejectsLoss() bool { return p.Strict && p.inPlace != nil && !p.inPlace.AcceptLeftovers }

// moves prints what went where.
func (p *part) moves(c *claim) {
	if c.same {
		p.log.Line(fmt.Sprintf("%s: %s: has version %s already", c.at, c.header(), p.to))
		return
	}
	p.log.Line(fmt.Sprintf("%s: %s: %s to %s", c.at, c.header(), c.report.Version, p.to))
	moves, err := conversion.Explain(c.raw, p.to)
	for _, move := range moves {
		p.log.Line(fmt.Sprint("  moved    ", move))
	}
	if err != nil { // it was converted, so this is for the intermediate versions only
		p.log.Line(fmt.Sprint("  and more: ", err))
	}
	for _, leftover := range c.report.Preserved {
		p.log.Line(fmt.Sprint("  carried  ", leftover))
	}
}

// written notes what a claim that is written may go with, counts it, and tells reports of it.
func (p *part) written(c *claim) {
	// Its namespace may be anywhere in the input.
	needsLabel := c.report.Group == api.Group && len(release.AdminLabels(p.To)) > 0
	if needsLabel && bytes.Contains(c.converted, []byte(`"adminAccess"`)) && release.AsksForAdminAccess(c.converted) {
		p.compared.add(admins, one{at: c.at, Header: c.header()})
	}
	if p.inPlace != nil {
		p.file(c.at, c.header(), c.raw)
	}
	if c.same {
		p.same++
		return
	}
	p.tally.converted++
	p.convertedFrom(c.report.Version)
	if p.Reports.Any() { // else nobody asks for the header
		p.log.Fixed(c.at, c.header(), p.versionFixed(finding.ClaimOfAnotherVersion, c.report.Version))
	}
}

// versionFixed says that an object of another version is converted, or is to be converted if nothing is written.
func (c *converter) versionFixed(rule finding.Rule, version string) problems.What {
	if c.inPlace != nil && !c.inPlace.writes() {
		return problems.At(rule, "apiVersion", "is of "+version+": convert it to "+c.to)
	}
	return problems.At(rule, "apiVersion", "is of "+version+"; written as "+c.to)
}

// file notes an object of the group that stands in one by itself, as a whole.
func (p *part) file(at yamldoc.Position, h conversion.Header, object []byte) {
	if p.inPlace != nil && len(at.Items) == 0 && at.Path == "" && h.Group == api.Group &&
		!bytes.Contains(object, objectjson.Quote(patchDirective)) && !p.patches.Has(at.File) &&
		!yamldoc.IsMarkdown(at.File) {
		p.compared.add(objects, one{at: at, Header: h})
	}
}
