package yamldoc

import (
	"fmt"
	"slices"
	"strings"
)

// Position is the position of a document, or of an item of a list, in the input.
type Position struct {
	File     string // path, or "standard input"
	Document int    // from 1; empty documents do not count
	Line     int    // where it begins in the file, from 1; 0 if it is not known
	Items    []int  // indexes into the items of lists, outermost first
	Path     string // of an object within another one, like spec.values.extraObjects[0]
}

// String returns text like "claims.yaml: document 3 (line 41)" or "claims.yaml: document 3: items[7] (line 88)".
func (p Position) String() string {
	at := fmt.Sprintf("%s: document %d", p.File, p.Document)
	if item := p.Item(); item != "" {
		at += ": " + item
	}
	if p.Line > 0 {
		at += fmt.Sprintf(" (line %d)", p.Line)
	}
	return at
}

// Item returns the path, in its document, of an item of a list or of an object within another one, like "items[7]". It
// is empty for a document.
func (p Position) Item() string {
	var path []string
	for _, item := range p.Items {
		path = append(path, fmt.Sprintf("items[%d]", item))
	}
	if p.Path != "" {
		path = append(path, p.Path)
	}
	return strings.Join(path, ".")
}

// item returns the position of an item of a list at this position. The path is copied, so that positions can be kept.
func (p Position) item(index, line int) Position {
	p.Items = append(slices.Clone(p.Items), index)
	p.Line = line
	return p
}

// DocumentError says why a document cannot be read. Later documents can be read.
type DocumentError struct {
	Position
	Err error
}

func (e *DocumentError) Error() string { return e.Position.String() + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *DocumentError) Unwrap() error { return e.Err }
