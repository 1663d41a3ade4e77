package manifest

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Document is one object of a stream.
type Document struct {
	Position
	// APIVersion and Kind as they are written, empty when they are not. Of a JSON list with its kind behind the items
	// they are known once the items were read.
	APIVersion, Kind string
	// Namespace and Name in the metadata of a YAML document, for messages about a document that has no JSON form.
	Namespace, Name string
	// IsComment is set for comments that stand by themselves, and hold no object.
	IsComment bool
	// AnyKey is set where a key may be a boolean or a number, as the `on` of a workflow of GitHub, which is no object.
	AnyKey bool

	text   []byte     // of YAML, as written
	first  int        // line in the file of the first line of text
	node   *yaml.Node // of YAML
	object []byte     // of JSON, unless it is a list that is still being read
	list   *List

	begin, end int64  // of what is written, in the stream; the end of a list that is still being read is not known
	source     []byte // what is written, where the file is in memory
}

// Text is the document as it is written, or nil if it is not YAML. It ends with a line end.
func (d *Document) Text() []byte { return d.text }

// Size in bytes of what is in memory of the document.
func (d *Document) Size() int { return len(d.text) + len(d.object) }

// IsOpen reports whether the document is a list that is read item by item.
func (d *Document) IsOpen() bool { return d.list != nil }

// Object is the whole document as JSON. Keys keep their order. With strict, keys that are there twice in YAML are an
// error that names their lines, else the last one counts; in JSON they are left to the one who decodes it.
//
// It is an error for a document that IsOpen.
func (d *Document) Object(strict bool) ([]byte, error) {
	switch {
	case d.object != nil:
		return d.object, nil
	case d.node == nil:
		return nil, errors.New("is a list")
	}
	object, err := toJSON(d.node, d.first, strict, d.AnyKey)
	if err != nil {
		return nil, ofTemplate(d.text, err)
	}
	return object, nil
}

// IsList reports whether the document has a list's kind and items.
func (d *Document) IsList() bool {
	switch {
	case d.list != nil:
		return true
	case !strings.HasSuffix(d.Kind, "List"):
		return false
	case d.node != nil:
		items := lookup(d.node, "items")
		return items != nil && items.Kind == yaml.SequenceNode
	}
	list, err := ListOf(d.object, d.Position)
	return err == nil && list != nil
}

// List opens a document that IsList. It must be read before the next document is.
func (d *Document) List(strict bool) (*List, error) {
	if d.list != nil {
		return d.list, nil
	}
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
	list.inFile = d.source != nil
	if d.node != nil {
		for _, item := range lookup(d.node, "items").Content {
			list.lines = append(list.lines, item.Line+d.first-1)
		}
	}
	return list, nil
}
