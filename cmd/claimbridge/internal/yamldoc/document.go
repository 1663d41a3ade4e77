package yamldoc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Document is one object of a stream.
type Document struct {
	Position
	// APIVersion and Kind as they are written, empty when they are not.
	APIVersion, Kind string
	// Namespace and Name in the metadata of a YAML document, for messages about a document that has no JSON form.
	Namespace, Name string
	// IsComment is set for comments that stand by themselves, and hold no object.
	IsComment bool
	// AnyKey is set where a key may be a boolean or a number, as the `on` of a workflow of GitHub, which is no object.
	AnyKey bool

	// Text is the document as it is written, or nil if it is not YAML. It ends with a line end.
	// FirstLine is the line in the file where it begins.
	Text      []byte
	FirstLine int
	// Node of a document of YAML that was parsed, else nil. Its lines count from the first one of Text.
	Node *yaml.Node

	textLines [][]byte // of Text, when one was asked for
	object    []byte   // of JSON

	begin, end int64  // of what is written, in the stream
	source     []byte // what is written, where the file is in memory
}

// Row of Text by its line in the file, nil for one that is not there.
func (d *Document) TextLine(line int) []byte {
	if d.textLines == nil {
		d.textLines = bytes.Split(d.Text, []byte("\n"))
	}
	if at := line - d.FirstLine; 0 <= at && at < len(d.textLines) {
		return d.textLines[at]
	}
	return nil
}

// Size in bytes of what is in memory of the document.
func (d *Document) Size() int { return len(d.Text) + len(d.object) }

// Object returns the whole document as JSON. Keys keep their order. With strict, a duplicate key is a *LocationError.
// Otherwise the last value counts in YAML, and JSON is as it was written.
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
// of the others.
func (d *Document) WithoutDuplicates(report func(*LocationError)) ([]byte, error) {
	switch {
	case d.object != nil:
		return WithoutDuplicates(d.object, report), nil
	case d.Node == nil:
		return nil, errors.New("has no object")
	}
	e := encoder{first: d.FirstLine, duplicate: report, anyKey: d.AnyKey, openAliases: map[*yaml.Node]bool{}}
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

// List opens a document that IsList.
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
		return nil, errors.New("is a list by the first of two fields kind or items, and none by the last")
	}
	list.hasLines = d.Node == nil
	if d.Node != nil {
		for _, item := range lookup(d.Node, "items").Content {
			list.lines = append(list.lines, item.Line+d.FirstLine-1)
		}
	}
	return list, nil
}

// Within gives a document the text that it has in a file, which is in memory as a whole and whose
// stream it was read from. A list that is bigger than MaxDocument is an error: edits need much more
// memory.
func (d *Document) AttachFile(file []byte) error {
	d.source = file[d.begin:d.end:d.end]
	if d.Text != nil {
		return nil
	}
	if len(d.source) > MaxDocument {
		return &DocumentError{
			d.Position,
			fmt.Errorf("is bigger than %d MiB, the limit for a list that is edited in its file", MaxDocument>>20),
		}
	}
	d.object = d.source
	return nil
}

// Source is the document as it stands in the file that it is Within, where it begins there and
// where it ends: from its first comment to its separator of YAML, or from brace to brace of JSON.
func (d *Document) Source() (text []byte, begin, end int) { return d.source, int(d.begin), int(d.end) }
