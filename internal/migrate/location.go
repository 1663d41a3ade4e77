package migrate

import (
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// location is where an object is in the input: a document, an item of a list, or a value of another object.
type location struct {
	document *yamldoc.Document
	position yamldoc.Position // in messages
	items    []int            // indexes into the lists of the document
	path     string           // in the document or its item, if the object is a value of another one
	depth    int              // number of objects of other kinds that the object is in
}

// locationOf returns the location of a whole document.
func locationOf(d *yamldoc.Document) location {
	return location{document: d, position: d.Position, items: d.Items}
}

// item returns the location of an item of a list.
func (s location) item(at yamldoc.Position) location {
	s.position = at
	s.items = at.Items
	return s
}

// nested returns the location of an object that is a value of this one.
func (s location) nested(path string) location {
	inner := s
	inner.position.Path = objectjson.JoinPath(s.position.Path, path)
	inner.path = objectjson.JoinPath(s.path, path)
	if line, _ := s.locate(path); line > 0 {
		inner.position.Line = line
	}
	return inner
}

// patch returns the location of a document in a text that is a value of the object.
func (s location) patch(path string, d *yamldoc.Document) location {
	at := s.position
	at.Path = objectjson.JoinPath(at.Path, path)
	at.Line = d.Line
	return location{document: d, position: at, depth: s.depth}
}

// locate returns the line and the column of a field of the object, or 0 if they are not known.
func (s location) locate(field string) (line, column int) {
	return s.document.Locate(s.items, objectjson.JoinPath(s.path, field))
}

// subject returns the object with a header as the subject of findings.
func (s location) subject(h conversion.Header) findings.Subject {
	return findings.Subject{Position: s.position, Header: h, Locate: s.locate}
}
