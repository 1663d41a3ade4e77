package migrate

import (
	"iter"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// FileResult is the result of a document of a file.
type FileResult struct {
	Result
	// Edit replaces the document in the text of the file. It is nil if the document is unchanged.
	Edit *Edit
	// IsHandled is set if the document was converted or counted, or has a finding. A file without such a document is
	// skipped.
	IsHandled bool
	// MentionsClaims is set for a text that mentions claims and needs no change.
	MentionsClaims bool
	// ReadErr is the error of a document that is not an object. There is a finding about it only if the document has to
	// change.
	ReadErr error

	isTextReported bool // there is a finding about the text of the file
}

// fileDocument is a document of a file, or an error in its place.
type fileDocument struct {
	name     string            // of the file
	text     []byte            // of the whole file
	document *yamldoc.Document // nil if it is not known where the document begins
	err      error             // of reading the document
	// isTextReported is set if there was a finding about the text of the file.
	isTextReported bool
}

// ConvertFile converts the documents of a file that is edited in place, one by one.
func (c *Converter) ConvertFile(name string, text []byte) iter.Seq[FileResult] {
	return func(yield func(FileResult) bool) {
		isTextReported := false
		for d, err := range yamldoc.Documents(text, name) {
			r := c.convertInFile(fileDocument{name, text, d, err, isTextReported})
			isTextReported = isTextReported || r.isTextReported
			if !yield(r) {
				return
			}
		}
	}
}

// convertInFile converts a document of a file, and edits its text.
func (c *Converter) convertInFile(f fileDocument) (r FileResult) {
	if d := f.document; d != nil {
		d.AllowNonStringKeys = d.APIVersion == "" && d.Kind == ""
	}
	r = c.convertFileDocument(f)
	r.IsHandled = r.IsHandled || r.Changed || r.concernsClaims()
	if r.Changed {
		c.editInFile(f.document, &r.Result)
	}
	if r.Text != nil {
		_, begin, end := f.document.Source()
		r.Edit = &Edit{begin, end, r.Text}
	}
	return r
}

func (c *Converter) convertFileDocument(f fileDocument) (r FileResult) {
	if notObject := asNotObject(f.err); notObject != nil {
		if result, isPatch := c.convertJSONPatchFile(notObject); isPatch {
			return FileResult{Result: result, IsHandled: true}
		}
		if result, isReplacements := c.convertReplacementsFile(notObject); isReplacements {
			return FileResult{Result: result, IsHandled: true}
		}
	}
	d := f.document
	switch {
	case f.err != nil:
		r = c.searchUnreadable(f)
		r.ReadErr = f.err
		return r
	case isTemplate(d):
		r = c.searchTemplate(f)
		r.IsHandled = true
		return r
	case c.isElided(d):
		return r
	case d.IsList() || d.APIVersion != "" && d.Kind != "":
		return FileResult{Result: c.convertDocument(d), IsHandled: true}
	}
	return c.convertUntyped(f)
}
