// Package problems prints what is wrong with an input, and what has to be done about it by hand,
// and hands it to reports.
package problems

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/report"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// Log prints on stderr what is wrong, a line each, and counts the objects that failed, and warnings.
type Log struct {
	W                io.Writer
	Failed, Warnings int
	// Common are those of the warnings that say what was skipped and is no object: they are no failure, whoever asks.
	Common int
	// All is set to print every warning of a rule.
	All bool
	// Full is shared by the whole and its parts, nil when there are none.
	Full *Full
	// Reports get every finding, nil for none.
	Reports *report.Set
	// Input that is read, nil where there is none.
	Input *input.Input
	// Locate a field of an object; nil where places of fields are not known.
	Locate func(items []int, field string) (line, column int)

	// IsPart is set in the log of a part of the input: what it says is kept in Said, for the log of the whole to Take.
	IsPart bool
	Said   []Said
	said   [asTopic + 1]int // by how

	warned [finding.Most]int  // by their rules
	remedy [finding.Most]bool // of warnings, printed once
}

// Error prints why something could not be read, or was skipped. The error names the place.
func (l *Log) Error(err error) { l.File("", err) }

// File prints why one could not be read or written. The error has the name in its words.
func (l *Log) File(name string, err error) {
	at := finding.Place{File: name}
	rule, message, where := ruleOf(err), err.Error(), ""
	if e, ok := errors.AsType[*yamldoc.DocumentError](err); ok {
		at, message, where = placeOf(e.Position), e.Err.Error(), e.Position.String()+": "
		at.Line = cmp.Or(yamldoc.PlaceOf(err).Line, at.Line)
	} else if e, ok := errors.AsType[*input.FileError](err); ok {
		at.File, message, where = e.Path, e.Err.Error(), e.Path+": "
	}
	hint := l.hint(at, err)
	if skipped, ok := errors.AsType[*input.SkippedError](err); ok {
		l.Warnings++
		if skipped.Common {
			l.Common++
		}
		l.say(printed, finding.SkippedFile, finding.Finding{
			Rule: finding.SkippedFile.About().Name, Severity: finding.Warning, Place: at, Message: message,
			Text: where + "warning: " + message,
		})
		return
	}
	if rule == finding.CannotBeConverted { // there is no object
		rule = finding.UnreadableFile
	}
	l.Failed++
	l.say(printed, rule, finding.Finding{
		Rule: rule.About().Name, Severity: finding.Error, Place: at, Message: message + hint,
		Text: err.Error() + hint,
	})
}

// Left says what is left for a person in a text that is no object.
func (l *Log) Left(at yamldoc.Position, rule finding.Rule, text string) {
	l.Failed++
	l.say(printed, rule, finding.Finding{
		Rule: rule.About().Name, Severity: finding.Error, Place: placeOf(at), Message: text,
		Text: at.String() + ": " + text,
	})
}

// SkippedPatch is what is said of a JSON patch: it is no object, and none was expected.
func SkippedPatch(e *yamldoc.NotObjectError) error {
	return input.Skipped(&yamldoc.DocumentError{
		Position: e.Document.Position,
		Err:      errors.New("is a JSON patch and no object, skipped"),
	})
}

// Document says why a document failed as a whole.
func (l *Log) Document(d *yamldoc.Document, err error) {
	if d.Kind == "" {
		l.Error(&yamldoc.DocumentError{Position: d.Position, Err: err})
		return
	}
	l.Failed++
	w := Unread(err)
	if w.Rule == finding.CannotBeConverted { // it was not even read
		w.Rule = finding.UnreadableDocument
	}
	w.Text += l.template(d.File, err)
	l.say(printed, w.Rule, l.finding(finding.Error, d.Position, HeaderOf(d), w))
}

// Object says why an object failed.
func (l *Log) Object(at yamldoc.Position, h conversion.Header, err error) {
	l.Refuse(at, h, reasons(h, err))
}

// Refuse says for which reasons an object that could be read is not taken.
func (l *Log) Refuse(at yamldoc.Position, h conversion.Header, why []What) {
	l.Failed++
	for _, w := range why {
		l.say(printed, w.Rule, l.finding(finding.Error, at, h, w))
	}
}

// Line prints one that is no finding.
func (l *Log) Line(text string) {
	l.say(asLine, 0, finding.Finding{Text: finding.Printable(text)})
}

// Text prints a warning about a line of a text, or about all of the input: something that is no object.
func (l *Log) Text(at finding.Place, w What) {
	if l.Enough(w.Rule) {
		return
	}
	text := "warning: " + w.Text
	if at.Line > 0 {
		text = fmt.Sprintf("line %d: %s", at.Line, text)
	}
	if at.File != "" {
		text = at.File + ": " + text
	}
	l.Warnings++
	l.say(asTopic, w.Rule, finding.Finding{
		Rule: w.name(), Severity: finding.Warning, Place: at, Message: w.Text, Text: text,
	})
}

// Fixed tells reports what was wrong with an object and is right in what is written. Nobody has to
// do anything, so it is not printed.
func (l *Log) Fixed(at yamldoc.Position, h conversion.Header, w What) {
	if l.Reports.Any() {
		f := l.finding(finding.Warning, at, h, w)
		f.Fixed, f.Text = true, fmt.Sprintf("%s: %s: fixed: %s", at, h, w.Text)
		l.say(silently, w.Rule, f)
	}
}

// Tell reports of a finding that is printed elsewhere.
func (l *Log) Tell(s finding.Severity, at yamldoc.Position, h conversion.Header, w What) {
	l.say(silently, w.Rule, l.finding(s, at, h, w))
}

func (l *Log) finding(s finding.Severity, at yamldoc.Position, h conversion.Header, w What) finding.Finding {
	f := finding.Finding{
		Rule:     w.name(),
		Severity: s,
		Place:    placeOf(at),
		Object:   finding.Object{APIVersion: h.APIVersion(), Kind: h.Kind, Namespace: h.Namespace, Name: h.Name},
		Field:    w.Field, Message: w.message(),
	}
	if w.Line > 0 {
		f.Line = w.Line
	} else if l.Locate != nil {
		if line, column := l.Locate(at.Items, w.Field); line > 0 {
			f.Line, f.Column = line, column
		}
	}
	warning := ""
	if s == finding.Warning {
		warning = "warning: "
	}
	at.Line = f.Line // of the field, where it is known
	f.Text = fmt.Sprintf("%s: %s: %s%s", at, h, warning, w.Text)
	return f
}

func placeOf(p yamldoc.Position) finding.Place {
	return finding.Place{File: p.File, Document: p.Document, Item: p.Item(), Line: p.Line}
}

// HeaderOf a document, as far as it is known without making JSON of it.
func HeaderOf(d *yamldoc.Document) conversion.Header {
	h := conversion.Header{Version: d.APIVersion, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name}
	if i := strings.LastIndexByte(d.APIVersion, '/'); i >= 0 {
		h.Group, h.Version = d.APIVersion[:i], d.APIVersion[i+1:]
	}
	if d.Text == nil {
		raw, _ := d.Object(false)
		named, _ := conversion.ReadHeader(raw) // what it does not say is left out
		h.Namespace, h.Name = named.Namespace, named.Name
	}
	return h
}

// ErrNoType is for what says neither what it is nor of which version.
var ErrNoType = errors.New("is not an object of Kubernetes: apiVersion and kind must be set")

// Objects says how many.
func Objects(n int) string {
	if n == 1 {
		return "1 object or document"
	}
	return fmt.Sprintf("%d objects or documents", n)
}

// Many says how many of something there are.
func Many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
