// Package yamledit edits the text of one document, YAML or JSON, so that it says something else, and
// changes no byte that need not change: comments, blank lines, quotes, indentation, order, line
// ends and anchors stay as their author has them.
//
// The text is compared with what is wanted. Entries that say what they should are not touched;
// those that are gone are taken out, and where what is new has been said by one of them, in the
// same words or under a name that it had before, its text moves there with its comments. The rest
// is written in the document's own style.
//
// One thing goes after the other. The text is read into a tree with the places of all values
// (yaml.go, scalar.go, extent.go; json.go), which sums up what each says (says.go). What is wanted,
// a tree as well, is paired with what is there (compare.go, items.go), looks for texts that are
// gone from elsewhere (pieces.go), and is put into the order of the result (arrange.go). Then that
// is written in the author's style (style.go), in blocks (block.go, strand.go) or in brackets
// (flow.go): what stays, what moves, and what is new.
//
// No result is trusted: it is parsed again, must say exactly what is wanted, and have every
// comment. So an edit is right, or it is refused with a [*NotInPlaceError].
package yamledit

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// Result of an edit.
type Result struct {
	// Text that says what was wanted. It is the text that was given where nothing had to change.
	Text []byte
	// Stranded are the lines, in the file that was read, of comments that stood at something that
	// is gone. They stay where it was, each on a line of its own.
	Stranded []int
}

// Edit gives the text of one document, YAML or JSON in UTF-8 without a byte order mark, that says
// what wanted does: an object as JSON, whose order does not count. All errors are of type
// *NotInPlaceError.
//
// A text of YAML may hold no separator of documents but before its object. It may be as big as yamldoc.MaxDocument.
func Edit(text, wanted []byte) (Result, error) {
	if len(text) > yamldoc.MaxDocument {
		return Result{}, refusal(0, "it is bigger than %d MiB", yamldoc.MaxDocument>>20)
	}
	if isJSON(text) {
		s, err := readJSON(text)
		if err != nil {
			return Result{}, err
		}
		return s.edit(wanted)
	}
	d, err := yamldoc.ParseText(text, yamldoc.Position{})
	if err != nil {
		return Result{}, refusal(0, "%v", err)
	}
	return Document(d, wanted)
}

// Document is Edit for YAML that was parsed already.
func Document(d *yamldoc.Document, wanted []byte) (Result, error) {
	if d.Node == nil {
		return Result{}, refusal(0, "it is not YAML")
	}
	s, err := readYAML(d)
	if err != nil {
		return Result{}, err
	}
	return s.edit(wanted)
}

// HasComments reports whether there are comments in a document of YAML that was parsed. Where the
// text is not understood, any # counts as one.
func HasComments(d *yamldoc.Document) bool {
	s, err := remarked(d)
	if err != nil {
		return bytes.ContainsRune(d.Text, '#')
	}
	return len(s.comments) > 0
}

// edit the text so that it says what is wanted.
func (s *source) edit(wanted []byte) (result Result, err error) {
	want, err := s.readObject(wanted)
	if err != nil || want.kind != s.root.kind {
		return Result{}, refusal(0, "what is wanted is not a JSON object")
	}
	if err := s.compare(want); err != nil {
		return Result{}, err
	}
	w := writer{source: s, style: styleOf(s)}
	if result.Text, err = w.document(want); err == nil {
		err = s.verify(result.Text, wanted)
	}
	if err != nil {
		return Result{}, err
	}
	result.Stranded = w.stranded
	return result, nil
}
