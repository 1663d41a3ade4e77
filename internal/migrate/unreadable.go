package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
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

// FileResult is the result of a document of a file.
type FileResult struct {
	Result
	// Edit replaces the document in the text of the file. It is nil if the document is unchanged.
	Edit *Edit
	// IsHandled is set if the document was converted or counted, or has a finding. A file without such a document is
	// skipped.
	IsHandled bool
	// MentionsClaims is set for a text that mentions claims and needs no change.
	MentionsClaims bool

	isTextReported bool // there is a finding about the text of the file
}

// fileDocument is a document of a file, or an error in its place.
type fileDocument struct {
	name     string            // of the file
	text     []byte            // of the whole file
	document *yamldoc.Document // nil if it is not known where the document begins
	err      error             // of reading the document
	// isTextReported is set if there was a finding about the text of the file.
	isTextReported bool
}

// File converts the documents of a file that is edited in place, one by one.
func (c *Converter) File(name string, text []byte) iter.Seq[FileResult] {
	return func(yield func(FileResult) bool) {
		isTextReported := false
		for d, err := range yamldoc.Documents(text, name) {
			r := c.editFileDocument(fileDocument{name, text, d, err, isTextReported})
			isTextReported = isTextReported || r.isTextReported
			if !yield(r) {
				return
			}
		}
	}
}

// editFileDocument converts a document of a file, and edits its text.
func (c *Converter) editFileDocument(f fileDocument) (r FileResult) {
	if d := f.document; d != nil {
		d.AnyKey = d.APIVersion == "" && d.Kind == ""
	}
	r = c.convertFileDocument(f)
	r.IsHandled = r.IsHandled || r.Changed || r.isAbout()
	if r.Changed {
		c.editInFile(f.document, &r.Result)
	}
	if r.Text != nil {
		_, begin, end := f.document.Source()
		r.Edit = &Edit{begin, end, r.Text}
	}
	return r
}

func (c *Converter) convertFileDocument(f fileDocument) (r FileResult) {
	if bad := asNotObject(f.err); bad != nil {
		if result, isPatch := c.patchFile(bad); isPatch {
			return FileResult{Result: result, IsHandled: true}
		}
		if result, isReplacements := c.replacementsFile(bad); isReplacements {
			return FileResult{Result: result, IsHandled: true}
		}
	}
	d := f.document
	switch {
	case f.err != nil:
		return c.unreadable(f)
	case isTemplate(d):
		r = c.template(f)
		r.IsHandled = true
		return r
	case c.isElided(d):
		return r
	case d.IsList() || d.APIVersion != "" && d.Kind != "":
		return FileResult{Result: c.Document(d), IsHandled: true}
	}
	return c.untyped(f)
}

// isTemplate reports whether a document that was parsed is a template all the same: in a chart, where its braces are in
// quotes, or where they are parsed as mappings. One without braces is rendered to itself.
func isTemplate(d *yamldoc.Document) bool {
	if source, _, _ := d.Source(); !yamldoc.HasTemplateBraces(source) {
		return false
	}
	_, err := d.Object(false)
	return err != nil || input.InChart(d.File)
}

// template searches a template that can be read: as an object, and as text. It is not edited.
func (c *Converter) template(f fileDocument) (r FileResult) {
	d := f.document
	object, err := d.Object(false)
	if err == nil && !c.Groups.IsClaim(d.APIVersion, d.Kind) && !d.IsList() {
		related := c.related(sourceOf(d), d.APIVersion, d.Kind, d.Text, object)
		r.Findings, r.Facts = related.Findings, related.Facts
		if r.isAbout() {
			return r // findings about the object are more precise than those about the text
		}
	}
	f.err, f.text = yamldoc.ErrInChart, nil
	unreadable := c.unreadable(f)
	r.Include(&unreadable.Result)
	r.MentionsClaims, r.isTextReported = unreadable.MentionsClaims, unreadable.isTextReported
	return r
}

// looksLikeClaim matches texts that are meant as objects of resource.k8s.io. If one cannot be read, it is not known
// what it is.
var looksLikeClaim = regexp.MustCompile(`(?mi)^[\s\-{]*["']?(?:` +
	`apiversion["']?\s*:\s*["']?resource\.k8s\.io\b|` +
	`kind["']?\s*:\s*["']?ResourceClaim(?:Template)?\b)`)

// unreadable searches a document that is not an object, or the whole file if it is not known where the document begins.
func (c *Converter) unreadable(f fileDocument) (r FileResult) {
	d, text, cause := f.document, f.text, f.err
	at, first := yamldoc.Position{File: f.name}, 1
	if bad, ok := errors.AsType[*yamldoc.DocumentError](f.err); ok {
		at, cause = bad.Position, bad.Err
	} else if d == nil {
		r.report(findings.OfError(c.Input, f.err)) // about the whole file, such as one in UTF-16
		return r
	}
	if d != nil {
		at = d.Position
		text, first = textOf(d)
	}
	if f.isTextReported {
		return r
	}
	r.isTextReported = d == nil // the whole file is searched at once
	found := c.changesIn(withoutProse(text), c.templateVersionsIn)
	// A file that is not a manifest, such as a playbook, may mention a version. A Markdown page has parts of manifests,
	// and of other files.
	hasBraces, isClaim := yamldoc.HasTemplateBraces(text), looksLikeClaim.Match(text)
	hasMoved := slices.ContainsFunc(found, func(m mention) bool { return m.version == "" })
	switch {
	case !isClaim && (yamldoc.IsMarkdown(f.name) || !hasBraces && !hasMoved),
		(hasBraces || isElidedPage(f.name, text)) && len(found) == 0:
		r.MentionsClaims = mentionsClaims(text)
		return r
	case hasBraces:
		at.Line = first + found[0].line
		message := inWords(found, first) + "; a template is not edited, change it by hand"
		if input.InChart(f.name) {
			message += ", and check what it renders: helm template CHART | " + c.Input.RenderCommand
		}
		r.report(findings.OfText(at, findings.HelmTemplate, message))
	default:
		if len(found) > 0 {
			cause = fmt.Errorf("%w; line %d: %s", cause, first+found[0].line, inWords(found, first))
		}
		r.report(findings.OfError(c.Input, &yamldoc.DocumentError{Position: at, Err: cause}))
	}
	r.isTextReported = true
	return r
}

// textOf returns the text of a document in its file, be it YAML or JSON, and the line where it begins.
func textOf(d *yamldoc.Document) (text []byte, line int) {
	if d.Text != nil {
		return d.Text, d.FirstLine
	}
	text, _, _ = d.Source()
	return text, d.Line
}

// untyped converts a document without an apiVersion or a kind. The values of a chart may have complete objects.
func (c *Converter) untyped(f fileDocument) (r FileResult) {
	d := f.document
	raw, err := d.Object(false)
	members, _, bad := objectjson.Members(raw)
	if err != nil || bad != nil {
		f.err, f.text = cmp.Or(err, bad), nil
		return c.unreadable(f)
	}
	if slices.ContainsFunc(members, claims.IsIntendedClaimType) && !yamldoc.IsMarkdown(d.File) {
		r.report(findings.OfError(c.Input, &yamldoc.DocumentError{Position: d.Position, Err: findings.ErrNoType}))
		return r
	}
	r.Result = c.relatedDocument(d)
	r.MentionsClaims = mentionsClaims(raw)
	return r
}

// maxMentions limits the further mentions in a message.
const maxMentions = 8

// inWords describes the mentions in a text, whose lines begin with a number: the first one, and then the fields that
// moved. Further versions are left out.
func inWords(found []mention, first int) string {
	words, more := found[0].String(), slices.DeleteFunc(found[1:], func(m mention) bool { return m.version != "" })
	var reasons []string
	fields := map[string][]string{}
	for _, m := range more[:min(len(more), maxMentions)] {
		if fields[m.reason] == nil {
			reasons = append(reasons, m.reason)
		}
		fields[m.reason] = append(fields[m.reason], fmt.Sprintf("line %d: %s", first+m.line, m.field))
	}
	for _, reason := range reasons {
		words += "; " + strings.Join(fields[reason], ", ") + " " + reason
	}
	if n := len(more) - maxMentions; n > 0 {
		words += fmt.Sprintf("; and %d more", n)
	}
	return words
}

// Unreadable returns the result of a part of a stream that could not be read as an object. A JSON patch is not an
// object, and is searched.
func (c *Converter) Unreadable(err error) (r Result) {
	if bad := asNotObject(err); bad != nil {
		if patch, isPatch := c.patchFile(bad); isPatch {
			r.Include(&patch)
			err = findings.SkippedPatch(bad)
		}
	}
	r.report(findings.OfError(c.Input, err))
	return r
}
