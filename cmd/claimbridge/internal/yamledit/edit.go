// Package yamledit edits the text of one document, YAML or JSON, so that it is equivalent to another object. It changes
// no other byte: comments, blank lines, quotes, indentation, order, line ends and anchors are those of the author.
//
// The text is compared with the new object. Equal entries are unchanged, and entries that are gone are removed. If a
// new entry has the value of a removed one, under the same name or a former name, its text moves there with its
// comments. The rest is written in the style of the document.
//
// An edit has these steps:
//
//  1. The text is read into a tree with the positions of all values (yaml.go, scalar.go, extent.go; json.go), and each
//     value gets a hash (hash.go).
//  2. The new object, a tree as well, is paired with the old one (compare.go, pair_items.go).
//  3. New entries look for removed text (moved_entries.go), and get the order of the result (arrange.go).
//  4. The result is written in the author's style (style.go), in blocks (block.go, stranded_comments.go) or in brackets
//     (flow.go): what is unchanged, what moves, and what is new.
//  5. The result is parsed again. If it is not equivalent to the object, or lost a comment or an anchor, the edit is
//     rejected with a [*NotInPlaceError] (verify.go).
package yamledit

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// Result of an edit.
type Result struct {
	// Text that is equivalent to the object. It is the same text if nothing had to change.
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
func Edit(text, desired []byte) (Result, error) {
	if len(text) > yamldoc.MaxDocument {
		return Result{}, notInPlace(0, "it is larger than %d MiB", yamldoc.MaxDocument>>20)
	}
	if looksLikeJSON(text) {
		s, err := readJSON(text)
		if err != nil {
			return Result{}, err
		}
		return s.edit(desired)
	}
	d, err := yamldoc.ParseText(text, yamldoc.Position{})
	if err != nil {
		return Result{}, notInPlace(0, "%v", err)
	}
	return EditDocument(d, desired)
}

// Document is Edit for YAML that was parsed already.
func EditDocument(d *yamldoc.Document, desired []byte) (Result, error) {
	if d.Node == nil {
		return Result{}, notInPlace(0, "it is not YAML")
	}
	s, err := readYAML(d)
	if err != nil {
		return Result{}, err
	}
	return s.edit(desired)
}

// HasComments reports whether there are comments in a document of YAML that was parsed. Where the
// text is not understood, any # counts as one.
func HasComments(d *yamldoc.Document) bool {
	s, err := withComments(d)
	if err != nil {
		return bytes.ContainsRune(d.Text, '#')
	}
	return len(s.comments) > 0
}

// edit the text so that it says what is wanted.
func (s *source) edit(desired []byte) (result Result, err error) {
	desiredRoot, err := s.readObject(desired)
	if err != nil || desiredRoot.kind != s.root.kind {
		return Result{}, notInPlace(0, "what is wanted is not a JSON object")
	}
	if err := s.compare(desiredRoot); err != nil {
		return Result{}, err
	}
	w := writer{source: s, style: styleOf(s)}
	if result.Text, err = w.writeDocument(desiredRoot); err == nil {
		err = s.verify(result.Text, desired)
	}
	if err != nil {
		return Result{}, err
	}
	result.Stranded = w.stranded
	return result, nil
}
