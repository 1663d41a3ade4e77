package migrate

import (
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// source is where an object is in the input: a document, an item of a list, or a value of another object.
type source struct {
	document *yamldoc.Document
	position yamldoc.Position // in messages
	items    []int            // indexes into the lists of the document
	path     string           // in the document or its item, if the object is a value of another one
	depth    int              // number of objects of other kinds that the object is in
}

// sourceOf returns the source of a whole document.
func sourceOf(d *yamldoc.Document) source {
	return source{document: d, position: d.Position, items: d.Items}
}

// item returns the source of an item of a list.
func (s source) item(at yamldoc.Position) source {
	s.position, s.items = at, at.Items
	return s
}

// nested returns the source of an object that is a value of this one.
func (s source) nested(path string) source {
	inner := s
	inner.position.Path = objectjson.JoinPath(s.position.Path, path)
	inner.path = objectjson.JoinPath(s.path, path)
	if line, _ := s.locate(path); line > 0 {
		inner.position.Line = line
	}
	return inner
}

// patch returns the source of a document in a text that is a value of the object.
func (s source) patch(path string, d *yamldoc.Document) source {
	at := s.position
	at.Path, at.Line = objectjson.JoinPath(at.Path, path), d.Line
	return source{document: d, position: at, depth: s.depth}
}

// locate returns the line and the column of a field of the object, or 0 if they are not known.
func (s source) locate(field string) (line, column int) {
	return s.document.Locate(s.items, objectjson.JoinPath(s.path, field))
}

// subject returns the object with a header as the subject of findings.
func (s source) subject(h conversion.Header) findings.Subject {
	return findings.Subject{Position: s.position, Header: h, Locate: s.locate}
}
