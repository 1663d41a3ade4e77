package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// A repository is full of files without an object, or with objects only after they are rendered. They need manual
// changes if their text names another version, or has a field at its old location. That is reported once for each file,
// with the line. Otherwise they are skipped.

// isTemplate reports whether a document that parses as YAML is nevertheless a Helm template: its braces are in quotes
// and it is in a chart, or they are parsed as mappings. Helm does not change a document without braces.
func isTemplate(d *yamldoc.Document) bool {
	if source, _, _ := d.Source(); !yamldoc.HasTemplateBraces(source) {
		return false
	}
	_, err := d.Object(false)
	return err != nil || input.InChart(d.File)
}

// searchTemplate searches a template that can be read: as an object, and as text. It is not edited.
func (c *Converter) searchTemplate(f fileDocument) (r FileResult) {
	d := f.document
	object, err := d.Object(false)
	if err == nil && !c.Groups.IsClaim(d.APIVersion, d.Kind) && !d.IsList() {
		related := c.convertRelated(locationOf(d), d.APIVersion, d.Kind, d.Text, object)
		r.Findings, r.Facts = related.Findings, related.Facts
		if r.concernsClaims() {
			return r // findings about the object are more precise than those about the text
		}
	}
	f.err, f.text = yamldoc.ErrInChart, nil
	unreadable := c.searchUnreadable(f)
	r.Include(&unreadable.Result)
	r.MentionsClaims = unreadable.MentionsClaims
	r.isTextReported = unreadable.isTextReported
	return r
}

// claimPattern matches texts that are meant as objects of resource.k8s.io. If one cannot be read, it is not known
// what it is.
var claimPattern = regexp.MustCompile(`(?mi)^[\s\-{]*["']?(?:` +
	`apiversion["']?\s*:\s*["']?resource\.k8s\.io\b|` +
	`kind["']?\s*:\s*["']?ResourceClaim(?:Template)?\b)`)

// searchUnreadable searches a document that is not an object, or the whole file if it is not known where the document
// begins.
func (c *Converter) searchUnreadable(f fileDocument) (r FileResult) {
	d, text, cause := f.document, f.text, f.err
	at := yamldoc.Position{File: f.name}
	firstLine := 1
	if documentErr, ok := errors.AsType[*yamldoc.DocumentError](f.err); ok {
		at = documentErr.Position
		cause = documentErr.Err
	} else if d == nil {
		r.report(findings.FromError(c.Input, f.err)) // about the whole file, such as one in UTF-16
		return r
	}
	if d != nil {
		at = d.Position
		text, firstLine = textOf(d)
	}
	if f.isTextReported {
		return r
	}
	r.isTextReported = d == nil // the whole file is searched at once
	found := c.movedFieldsAndVersionsIn(withoutProse(text), c.templateVersionsIn)
	hasBraces := yamldoc.HasTemplateBraces(text)
	hasMoved := slices.ContainsFunc(found, func(m mention) bool { return m.version == "" })
	// A file that is not a manifest, such as a playbook, may mention a version. A Markdown page has parts of manifests,
	// and of other files.
	isOther := !claimPattern.Match(text) && (yamldoc.IsMarkdown(f.name) || !hasBraces && !hasMoved)
	isIncomplete := hasBraces || isElidedPage(f.name, text)
	switch {
	case isOther, isIncomplete && len(found) == 0:
		r.MentionsClaims = mentionsClaims(text)
		return r
	case hasBraces:
		at.Line = firstLine + found[0].line
		message := inWords(found, firstLine) + "; a template is not edited, change it by hand"
		if input.InChart(f.name) {
			message += ", and check what it renders: helm template CHART | " + c.Input.PipeCommand
		}
		r.report(findings.FromText(at, findings.HelmTemplate, message))
	default:
		if len(found) > 0 {
			cause = fmt.Errorf("%w; line %d: %s", cause, firstLine+found[0].line, inWords(found, firstLine))
		}
		r.report(findings.FromError(c.Input, &yamldoc.DocumentError{Position: at, Err: cause}))
	}
	r.isTextReported = true
	return r
}

// textOf returns the text of a document in its file, be it YAML or JSON, and the line where it begins.
func textOf(d *yamldoc.Document) (text []byte, line int) {
	if !d.IsJSON() {
		return d.Text, d.FirstLine
	}
	text, _, _ = d.Source()
	return text, d.Line
}

// convertUntyped converts a document without an apiVersion or a kind. The values of a chart may have complete objects.
func (c *Converter) convertUntyped(f fileDocument) (r FileResult) {
	d := f.document
	raw, err := d.Object(false)
	members, _, membersErr := objectjson.Members(raw)
	if err != nil || membersErr != nil {
		f.err, f.text = cmp.Or(err, membersErr), nil
		return c.searchUnreadable(f)
	}
	if slices.ContainsFunc(members, claims.IsIntendedClaimType) && !yamldoc.IsMarkdown(d.File) {
		r.report(findings.FromError(c.Input, &yamldoc.DocumentError{Position: d.Position, Err: findings.ErrNoType}))
		return r
	}
	r.Result = c.convertRelatedDocument(d)
	r.MentionsClaims = mentionsClaims(raw)
	return r
}

// maxMentions limits the further mentions in a message.
const maxMentions = 8

// inWords describes the mentions in a text: the first one, and then the fields that moved. Further versions are
// omitted. firstLine is the number of the first line of the text.
func inWords(found []mention, firstLine int) string {
	words := found[0].String()
	more := slices.DeleteFunc(found[1:], func(m mention) bool { return m.version != "" })
	var reasons []string
	fields := map[string][]string{}
	for _, m := range more[:min(len(more), maxMentions)] {
		if fields[m.reason] == nil {
			reasons = append(reasons, m.reason)
		}
		fields[m.reason] = append(fields[m.reason], fmt.Sprintf("line %d: %s", firstLine+m.line, m.field))
	}
	for _, reason := range reasons {
		words += "; " + strings.Join(fields[reason], ", ") + " " + reason
	}
	if n := len(more) - maxMentions; n > 0 {
		words += fmt.Sprintf("; and %d more", n)
	}
	return words
}

// asNotObject returns the error of a document that is YAML and not an object, or nil.
func asNotObject(err error) *yamldoc.NotObjectError {
	e, _ := errors.AsType[*yamldoc.NotObjectError](err)
	return e
}
