// Package yamledit edits the text of one document, YAML or JSON, so that it is equivalent to another object. It changes
// no other byte: comments, blank lines, quotes, indentation, order, line ends and anchors are those of the author.
//
// The text is compared with the desired object. Equal entries are unchanged, and entries that the object does not have
// are removed. If a new entry has the value of a removed one, under the same name or its name in another version, the
// text of the removed entry moves there with its comments. The rest is written in the style of the document.
//
// These terms are used in the code:
//
//   - An entry is a key of a mapping with its value, or an item of a sequence. An old entry is one of the text. It is
//     kept if the desired object has it at the same place, and removed otherwise. The other entries of the desired
//     object are new.
//   - A piece is a removed entry, or an entry within one, whose text moves to a new entry.
//   - A slot is the place of an old entry in the result. It holds that entry, if it is kept, and the new entries that
//     follow it. The slot of a removed entry holds the new entries that replace it. Slot -1 is before all old entries.
//   - A stranded comment is one of a removed entry that does not move with a piece. It gets its own line in the slot.
//
// For example, the desired object has the fields of exactly in the request itself:
//
//	name: gpu                              name: gpu
//	# one of them is a spare               # one of them is a spare
//	exactly: # not firstAvailable          # not firstAvailable
//	  deviceClassName: gpu.example.com     deviceClassName: gpu.example.com
//	  count: 2 # per pod                   count: 2 # per pod
//
// The entry name is kept, in slot 0. The entry exactly is removed, so its slot 1 holds the new entries deviceClassName
// and count. The entries of these names in exactly are their pieces. The two comments of exactly are stranded, and stay
// above the pieces. In the reverse direction, the new entry exactly gets the slot of deviceClassName.
//
// An edit has these steps:
//
//  1. The text is read into a tree with the positions of all values (yaml.go, scalar.go, extent.go; json.go), and each
//     value gets a hash (hash.go).
//  2. The desired object, a tree as well, is compared with the text, which pairs old and desired entries (compare.go,
//     pair_items.go).
//  3. New entries get pieces (moved_entries.go), and all entries get slots and an order (arrange.go).
//  4. The result is written in the author's style (style.go), in blocks (block.go, stranded_comments.go) or in brackets
//     (flow.go).
//  5. The result is parsed again. If it is not equivalent to the desired object, or lost a comment or an anchor, the
//     edit is rejected with a [*NotInPlaceError] (verify.go).
package yamledit

import (
	"bytes"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// Result is the result of an edit.
type Result struct {
	// Text is equivalent to the object. It is the given text if no change was necessary.
	Text []byte
	// Stranded are the lines, in the original file, of comments on removed entries. Each such comment is kept on its own
	// line, in the place of the entry.
	Stranded []int
}

// Edit returns the text, YAML or JSON in UTF-8 without a byte order mark, changed to be equivalent to the desired
// object, which is JSON and whose order does not matter. All errors are of type *NotInPlaceError.
//
// A YAML text may have a document separator only before its object. Its size is limited to yamldoc.MaxDocument.
func Edit(text, desired []byte) (Result, error) {
	if len(text) > yamldoc.MaxDocument {
		return Result{}, notEditable(0, "it exceeds %d MiB", yamldoc.MaxDocument>>20)
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
		return Result{}, notEditable(0, "%v", err)
	}
	return EditDocument(d, desired)
}

// EditDocument is Edit for parsed YAML.
func EditDocument(d *yamldoc.Document, desired []byte) (Result, error) {
	if d.Node == nil {
		return Result{}, notEditable(0, "it is not YAML")
	}
	result, err := editYAML(d, desired, false)
	if losesComment(err) {
		// Brackets often have no line for the comment of a removed entry. Block style has one.
		return editYAML(d, desired, true)
	}
	return result, err
}

// editYAML edits parsed YAML. If flowToBlock is set, collections in brackets that change and have comments are
// rewritten in block style.
func editYAML(d *yamldoc.Document, desired []byte, flowToBlock bool) (Result, error) {
	s, err := readYAML(d)
	if err != nil {
		return Result{}, err
	}
	s.flowToBlock = flowToBlock
	return s.edit(desired)
}

// HasComments reports whether a parsed YAML document has comments. If its text cannot be read, any # counts as a
// comment.
func HasComments(d *yamldoc.Document) bool {
	s, err := withComments(d)
	if err != nil {
		return bytes.ContainsRune(d.Text, '#')
	}
	return len(s.comments) > 0
}

// edit changes the text to be equivalent to the desired object.
func (s *source) edit(desired []byte) (result Result, err error) {
	desiredRoot, err := s.readObject(desired)
	if err != nil {
		return Result{}, err
	}
	if desiredRoot.kind != s.root.kind {
		return Result{}, notEditable(0, "the converted value is not of the same kind (object or list) as the text")
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
