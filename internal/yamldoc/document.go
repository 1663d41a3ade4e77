package yamldoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Document is one YAML or JSON document of a stream: an object, a list, other YAML, or only comments.
type Document struct {
	Position
	// APIVersion and Kind are as written; they are empty if they are missing.
	APIVersion, Kind string
	// Namespace and Name are from the metadata of a YAML document, for messages about a document that has no JSON
	// form.
	Namespace, Name string
	// IsComment is set for a document of comments that stand alone.
	IsComment bool
	// AllowNonStringKeys is set if a key can be a boolean or a number. A GitHub workflow, which is not an object, has the
	// key `on`.
	AllowNonStringKeys bool

	// Text is the document as written, with a line end, or nil if it is JSON. FirstLine is the line in the file
	// where Text begins.
	Text      []byte
	FirstLine int
	// Node is the root of a parsed YAML document, or nil. Its lines count from the first line of Text.
	Node *yaml.Node

	textLines [][]byte // of Text; set by the first call of TextLine
	object    []byte   // a document that is JSON

	begin, end int64  // offsets of the document in the stream
	source     []byte // the document as written, if AttachFile was called
}

// TextLine returns a line of Text by its number in the file, or nil if there is no such line.
func (d *Document) TextLine(line int) []byte {
	if d.textLines == nil {
		d.textLines = bytes.Split(d.Text, []byte("\n"))
	}
	if index := line - d.FirstLine; 0 <= index && index < len(d.textLines) {
		return d.textLines[index]
	}
	return nil
}

// IsJSON reports whether the document is JSON, and not YAML.
func (d *Document) IsJSON() bool { return d.Text == nil }

// Size returns the length in bytes of the text or the JSON.
func (d *Document) Size() int { return len(d.Text) + len(d.object) }

// Object returns the whole document as JSON. Keys keep their order. If strict is set, a duplicate key is a
// *LocationError. Otherwise the last value of a duplicate key in YAML is used, and JSON is returned as written.
func (d *Document) Object(strict bool) ([]byte, error) {
	if d.object != nil && !strict {
		return d.object, nil
	}
	var duplicate error
	object, err := d.WithoutDuplicates(func(e *LocationError) { duplicate = cmp.Or(duplicate, error(e)) })
	if err == nil && strict {
		err = duplicate
	}
	return object, err
}

// WithoutDuplicates returns the document as JSON with the last value of each duplicate key, and calls report for each
// of the other values.
func (d *Document) WithoutDuplicates(report func(*LocationError)) ([]byte, error) {
	switch {
	case d.object != nil:
		return WithoutDuplicates(d.object, report), nil
	case d.Node == nil:
		return nil, errors.New("has no object")
	}
	e := encoder{
		first: d.FirstLine, duplicate: report, anyKey: d.AllowNonStringKeys, openAliases: map[*yaml.Node]bool{},
	}
	if err := e.value(d.Node, 0); err != nil {
		return nil, asTemplateError(d.Text, err)
	}
	return e.out, nil
}

// IsList reports whether the document has a list's kind and items.
func (d *Document) IsList() bool {
	switch {
	case !strings.HasSuffix(d.Kind, "List"):
		return false
	case d.Node != nil:
		items := lookup(d.Node, "items")
		return items != nil && items.Kind == yaml.SequenceNode
	}
	list, err := ListOf(d.object, d.Position)
	return err == nil && list != nil
}

// List opens a document for which IsList is true.
func (d *Document) List(strict bool) (*List, error) {
	object, err := d.Object(strict)
	if err != nil {
		return nil, err
	}
	list, err := ListOf(object, d.Position)
	switch {
	case err != nil:
		return nil, err
	case list == nil:
		return nil, errors.New("kind or items is duplicated, and only the first value makes this a list: remove one")
	}
	list.hasLines = d.Node == nil
	if d.Node != nil {
		for _, item := range lookup(d.Node, "items").Content {
			list.lines = append(list.lines, item.Line+d.FirstLine-1)
		}
	}
	return list, nil
}

// AttachFile gives a document its text in the file, which must be the stream that it was read from. A list that is
// larger than MaxDocument is an error, because edits need much more memory.
func (d *Document) AttachFile(file []byte) error {
	d.source = file[d.begin:d.end:d.end]
	if !d.IsJSON() {
		return nil
	}
	if len(d.source) > MaxDocument {
		return &DocumentError{
			d.Position,
			fmt.Errorf("exceeds %d MiB, the limit for a list that is edited in its file: split it, or convert it to "+
				"standard output", MaxDocument>>20),
		}
	}
	d.object = d.source
	return nil
}

// Source returns the document as written in the file of AttachFile, and its offsets there: from its first comment to
// its separator for YAML, or from brace to brace for JSON.
func (d *Document) Source() (text []byte, begin, end int) { return d.source, int(d.begin), int(d.end) }
