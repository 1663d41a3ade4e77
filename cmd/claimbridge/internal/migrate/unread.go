package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// A repository is full of files that hold no object, or none before they are rendered. Those are a
// person's work where their text names another version, or has a field where that was in one; once
// a file, with that line. Else they are skipped.

// isTemplate reports whether a document that was parsed is a template all the same: in a chart,
// where its braces are in quotes, or where they are taken for mappings. What has none is rendered
// to itself.
func isTemplate(d *yamldoc.Document) bool {
	if source, _, _ := d.Source(); !yamldoc.HasBraces(source) {
		return false
	}
	_, err := d.Object(false)
	return err != nil || input.InChart(d.File)
}

// template that can be read is looked at as an object, and as the text that it is, and not edited.
func (p *part) template(e *edit, d *yamldoc.Document) {
	if object, err := d.Object(false); err == nil && !p.Groups.Claim(d.APIVersion, d.Kind) && !d.IsList() {
		before, said := p.tally, p.log.Warnings+p.log.Failed
		p.log.Locate, p.parsed = d.Locate, d
		p.other(d.Position, d.APIVersion, d.Kind, d.Text, object)
		if p.tally = before; p.log.Warnings+p.log.Failed > said {
			return // with more than the text would say
		}
	}
	p.unreadable(e, d, yamldoc.ErrInChart, nil)
}

// meantForUs tells texts of objects that somebody meant to be of resource.k8s.io: nobody knows what
// they are, if they cannot be read.
var meantForUs = regexp.MustCompile(`(?mi)^[\s\-{]*["']?(?:` +
	`apiversion["']?\s*:\s*["']?resource\.k8s\.io\b|` +
	`kind["']?\s*:\s*["']?ResourceClaim(?:Template)?\b)`)

// unreadable is a document that is no object, or all of the file where it is not even known where that begins.
func (p *part) unreadable(e *edit, d *yamldoc.Document, err error, text []byte) {
	at, first, cause := yamldoc.Position{File: e.name}, 1, err
	if bad, ok := errors.AsType[*yamldoc.DocumentError](err); ok {
		at, cause = bad.Position, bad.Err
	} else if d == nil {
		p.log.Error(err) // of the whole file, as that it is UTF-16
		return
	}
	if d != nil {
		at = d.Position
		text, first = textOf(d)
	}
	if e.told {
		return
	}
	e.told = d == nil // all of the file is looked at once
	found := p.leftIn(withoutProse(text), p.chosen)
	// What is no manifest, as a playbook, may name a version. In a page there are pieces of
	// manifests, and of much else.
	template, meant := yamldoc.HasBraces(text), meantForUs.Match(text)
	moved := slices.ContainsFunc(found, func(l left) bool { return l.version == "" })
	switch {
	case !meant && (yamldoc.IsMarkdown(e.name) || !template && !moved),
		(template || isElidedPage(e.name, text)) && len(found) == 0:
		e.speaks = e.speaks || speaksOfClaims(text)
		return
	case template:
		at.Line = first + found[0].line
		what := inWords(found, first) + "; a template is not edited, change it by hand"
		if input.InChart(e.name) {
			what += ", and check what it renders: helm template CHART | " + p.input.Rendered
		}
		p.log.Left(at, finding.HelmTemplate, what)
	default:
		if len(found) > 0 {
			cause = fmt.Errorf("%w; line %d: %s", cause, first+found[0].line, inWords(found, first))
		}
		p.log.Error(&yamldoc.DocumentError{Position: at, Err: cause})
	}
	e.told = true
}

// untyped is what a document without apiVersion or kind is to become. In the values of a chart
// there may be whole objects.
func (p *part) untyped(e *edit, d *yamldoc.Document) (w wanted) {
	raw, err := d.Object(false)
	switch members, _, bad := objectjson.Members(raw); {
	case err != nil || bad != nil:
		p.unreadable(e, d, cmp.Or(err, bad), nil)
	case slices.ContainsFunc(members, claims.IsMeantAsType) && !yamldoc.IsMarkdown(d.File):
		p.log.Error(&yamldoc.DocumentError{Position: d.Position, Err: problems.ErrNoType})
	default:
		p.log.Locate, p.parsed = d.Locate, d
		w, _ = p.wantedDocument(d)
		e.speaks = e.speaks || speaksOfClaims(raw)
	}
	return w
}

// maxAlso bounds how many more places of a text are named in a line.
const maxAlso = 8

// inWords says what is left in a text, whose lines begin with a number: what comes first, and
// behind it the fields that moved. Versions that are named again go without saying.
func inWords(found []left, first int) (said string) {
	var whys []string
	fields := map[string][]string{}
	said, more := found[0].String(), slices.DeleteFunc(found[1:], func(l left) bool { return l.version != "" })
	for _, l := range more[:min(len(more), maxAlso)] {
		if fields[l.why] == nil {
			whys = append(whys, l.why)
		}
		fields[l.why] = append(fields[l.why], fmt.Sprintf("line %d: %s", first+l.line, l.field))
	}
	for _, why := range whys {
		said += "; " + strings.Join(fields[why], ", ") + " " + why
	}
	if n := len(more) - maxAlso; n > 0 {
		said += fmt.Sprintf("; and %d more", n)
	}
	return said
}

// unread is what could not be read as an object. A JSON patch is none, and is looked at as one.
func (p *part) unread(err error) {
	if e, ok := errors.AsType[*yamldoc.NotObjectError](err); ok {
		if _, isPatch := p.patchFile(e); isPatch {
			err = problems.SkippedPatch(e)
		}
	}
	p.log.Error(err)
}

// patchFile returns what a document that is no object is to become, and whether it is a JSON patch.
// In a stream it is unchanged.
func (p *part) patchFile(e *yamldoc.NotObjectError) (w wanted, isPatch bool) {
	if !e.IsJSONPatch() {
		return w, false
	}
	raw, err := e.Document.Object(false)
	if err != nil {
		return w, false // nobody can say what it is
	}
	p.log.Locate, p.parsed = e.Document.Locate, e.Document
	h := conversion.Header{Kind: "JSON patch", Name: "of " + e.Document.File}
	o := &other{part: p, at: e.Document.Position, header: h, object: raw, root: treeOf(raw)}
	o.isPatchFile = p.inPlace != nil
	if o.isPatchFile {
		w.object, w.changed = o.jsonPatchFile()
		w.was = raw
	} else {
		o.survey()
	}
	if len(o.failures) > 0 {
		p.log.Refuse(o.at, o.header, o.failures)
	}
	p.log.Locate = nil
	return w, true
}
