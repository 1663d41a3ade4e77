// Package findings says what is wrong with an input. A Finding is complete when it is created: it has a rule, a
// severity, a position, an object and a message. A rule has a reason and a remedy, in one table. A Reporter writes
// findings in a format: a Printer for people, and Reports for programs.
package findings

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/terminal"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// Severity of a finding.
type Severity string

const (
	// Error is the severity of an object that is rejected or not converted.
	Error Severity = "error"
	// Warning is the severity of an object that is converted or passed through, and needs a review.
	Warning Severity = "warning"
	// Note is the severity of a line of information. It has only a message, is printed unless --quiet is set, and is
	// not in reports.
	Note Severity = "note"
)

// Position is a position in the input. Unknown texts are empty, and unknown numbers are 0.
type Position struct {
	File string `json:"file"` // path, or "standard input"
	// Line and Column of the field, or else of the object, from 1. Columns count characters.
	Line     int `json:"line"`
	Column   int `json:"column"`
	Document int `json:"document"` // from 1; 0 for a file that is not a stream of documents
	// Item is the path in the document of a list item or of a nested object, such as items[7] or spec.values.claims[0].
	// It is empty for a document.
	Item string `json:"item"`
}

// String is like "claims.yaml: document 3: items[7] (line 88)", or the name of a file.
func (p Position) String() string {
	if p.Document == 0 {
		return p.File
	}
	text := fmt.Sprintf("%s: document %d", p.File, p.Document)
	if p.Item != "" {
		text += ": " + p.Item
	}
	if p.Line > 0 {
		text += fmt.Sprintf(" (line %d)", p.Line)
	}
	return text
}

// positionOf returns the position of a document or of an item.
func positionOf(p yamldoc.Position) Position {
	return Position{File: p.File, Document: p.Document, Item: p.Item(), Line: p.Line}
}

// Object is the object that a finding is about.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`

	generateName string
}

// ObjectOf returns the object with a header.
func ObjectOf(h conversion.Header) Object {
	return Object{
		APIVersion: h.APIVersion(), Kind: h.Kind, Namespace: h.Namespace, Name: h.Name, generateName: h.GenerateName,
	}
}

// String is like "ResourceClaim default/a".
func (o Object) String() string {
	h := conversion.Header{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, GenerateName: o.generateName}
	return h.String()
}

// Finding is a problem in an input. It has names and paths, and no value of an object, because a handle may contain
// credentials.
//
// In JSON, all keys are always present.
type Finding struct {
	Rule     Rule     `json:"rule"`
	Severity Severity `json:"severity"`
	Position
	Object
	Field   string `json:"field"` // path, like spec.devices.requests[0]
	Message string `json:"message"`
	// Fixed is set if the output does not have the problem.
	Fixed bool `json:"fixed"`

	// Sentence is the message with its field, for people. If it is empty, it is the field, a colon, and the message.
	Sentence string `json:"-"`
	// Uncounted is set for a further error of an object that failed, and for a note about other findings.
	Uncounted bool `json:"-"`
	// ReportOnly is set for a finding that needs no change by hand: it is in reports, and neither printed nor counted.
	ReportOnly bool `json:"-"`
	// Harmless is set for a warning that is not a failure even with --fail-on=warning: a repository has many files
	// without a Kubernetes object.
	Harmless bool `json:"-"`
}

// String returns the finding as a line of text, with its rule at the end, which `claimbridge rules` explains.
func (f Finding) String() string {
	if f.Severity == Note {
		return terminal.Printable(f.Message)
	}
	var line strings.Builder
	if position := f.Position.String(); position != "" {
		line.WriteString(position + ": ")
	}
	if f.Object != (Object{}) {
		line.WriteString(f.Object.String() + ": ")
	}
	switch {
	case f.Fixed:
		line.WriteString("fixed: ")
	case f.Severity == Warning:
		line.WriteString("warning: ")
	}
	rule := " (" + string(f.Rule) + ")"
	line.WriteString(strings.TrimSuffix(f.Text(), rule) + rule)
	return terminal.Printable(line.String())
}

// Text returns the message with its field, as a sentence for people.
func (f Finding) Text() string {
	if f.Field == "" {
		return cmp.Or(f.Sentence, f.Message)
	}
	return cmp.Or(f.Sentence, f.Field+": "+f.Message)
}

// AsUnfixed returns the finding for output that is not written: the object still needs a conversion.
func (f Finding) AsUnfixed() Finding {
	if f.Fixed {
		f.Fixed, f.Message = false, "needs conversion, and is unchanged"
	}
	return f
}

// AsOneFailure returns the errors of one object, of which only the first is counted.
func AsOneFailure(errs []Finding) []Finding {
	for i := range errs {
		errs[i].Uncounted = i > 0
	}
	return errs
}

// NewNote returns a line of information.
func NewNote(line string) Finding { return Finding{Severity: Note, Message: line} }

// Subject is the object that findings are about, and where it is.
type Subject struct {
	Position yamldoc.Position
	Header   conversion.Header
	// Locate returns the line and the column of a field, or 0 if they are not known. It may be nil.
	Locate func(field string) (line, column int)
}

// New returns a finding about a field of the object, or about the whole object if the field is empty.
func (s Subject) New(severity Severity, rule Rule, field, message string) Finding {
	f := Finding{
		Rule: rule, Severity: severity, Position: positionOf(s.Position), Object: ObjectOf(s.Header),
		Field: field, Message: message,
	}
	if s.Locate == nil {
		return f
	}
	if line, column := s.Locate(field); line > 0 {
		f.Line, f.Column = line, column
	}
	return f
}

// NewSentence returns a finding whose text for people names the field within a sentence.
func (s Subject) NewSentence(severity Severity, rule Rule, field, sentence string) Finding {
	f := s.New(severity, rule, field, strings.TrimPrefix(sentence, field+": "))
	f.Sentence = sentence
	return f
}

// NewFixed returns a finding about a problem that the output does not have.
func (s Subject) NewFixed(rule Rule, field, message string) Finding {
	f := s.New(Warning, rule, field, message)
	f.Fixed, f.ReportOnly = true, true
	return f
}

// WithLine returns the finding at a line of its file, if the line is known.
func (f Finding) WithLine(line int) Finding {
	if line > 0 {
		f.Line, f.Column = line, 0
	}
	return f
}
