package migrate

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/yamledit"
)

// editText changes the text of a document, YAML or JSON in its file, to be equivalent to the converted object.
//
// Quantities get their canonical form before fields move. Otherwise an entry would move and change in one edit. Such an
// entry is generated again, in the order of the object and without its comments.
func editText(d *yamldoc.Document, converted []byte) (yamledit.Result, error) {
	text := withCanonicalQuantities(d, converted)
	switch {
	case text == nil:
		return editDocument(d, converted)
	case d.IsJSON():
		return yamledit.Edit(text, converted)
	}
	canonical := &yamldoc.Document{
		Position: d.Position, AllowNonStringKeys: d.AllowNonStringKeys, Text: text, FirstLine: d.FirstLine,
	}
	if err := canonical.Parse(); err != nil {
		return editDocument(d, converted)
	}
	return yamledit.EditDocument(canonical, converted)
}

func editDocument(d *yamldoc.Document, converted []byte) (yamledit.Result, error) {
	if d.IsJSON() {
		source, _, _ := d.Source()
		return yamledit.Edit(source, converted)
	}
	return yamledit.EditDocument(d, converted)
}

// withCanonicalQuantities returns the text of a document with quantities in the form of the converted object. It
// returns nil if they have that form already, or if they cannot be edited.
func withCanonicalQuantities(d *yamldoc.Document, converted []byte) []byte {
	if !bytes.Contains(converted, []byte(`"capacity"`)) { // the usual case
		return nil
	}
	object, err := d.Object(false)
	if err != nil {
		return nil
	}
	edits := quantityEdits(object, converted)
	if len(edits) == 0 {
		return nil
	}
	edited, err := editDocument(d, ApplyEdits(object, edits))
	if err != nil {
		return nil
	}
	return edited.Text
}

// quantityEdits returns the edits of an object that write the capacities of its requests as in the converted object.
// Other quantities do not move.
func quantityEdits(object, converted []byte) (edits []Edit) {
	root := parseNode(converted)
	parseNode(object).walk(func(t *jsonNode) bool {
		if !t.isIn("requests", "capacity") || t.parent.kind != jsonObject {
			return true
		}
		if c := counterpart(t, root); c != nil && !bytes.Equal(object[t.begin:t.end], converted[c.begin:c.end]) {
			edits = append(edits, Edit{t.begin, t.end, converted[c.begin:c.end]})
		}
		return false
	})
	return edits
}

// counterpart returns the value at the same place in the converted object, where the fields of a request may have moved
// into `exactly` or out of it, or nil.
func counterpart(t, converted *jsonNode) *jsonNode {
	if t.parent == nil {
		return converted
	}
	in := counterpart(t.parent, converted)
	switch {
	case in == nil || in.kind != t.parent.kind:
		return nil
	case in.kind == jsonArray:
		if len(in.children) != len(t.parent.children) { // an item that failed is left out
			return nil
		}
		return in.children[t.index]
	}
	if same := in.member(t.name); same != nil || !isRequest(t.parent) {
		return same
	}
	if t.name == "exactly" {
		return in
	}
	return in.member("exactly", t.name)
}
