package migrate

import "github.com/claimbridge/claimbridge/internal/findings"

// Result of the conversion of a document, or of an object in one.
type Result struct {
	// Text of the document, edited if it changed. It is nil if the document is not written, is
	// written as Object, or is unchanged in its file.
	Text []byte
	// Object as JSON, if the document was read as an object. If Text is set, Text is written and Object is ignored.
	Object []byte
	// Changed is set if the text or the object differs from the input.
	Changed bool
	// Failed is set if nothing is written of the object. Findings say why.
	Failed   bool
	Findings findings.List
	Counts   Counts
	Facts    Facts

	// reportsStrandedComments is set for a claim or a patch: a comment in a field that the version does not have is
	// reported. In an object of another kind, all fields stay.
	reportsStrandedComments bool
	// duplicate is the first duplicate key. The text has all of its values, and the object only the last one.
	duplicate error
}

// Counts has the numbers of objects by the result of their conversion.
type Counts struct {
	Claims        int // claims and templates, including failed ones
	Converted     int
	Unchanged     int // claims and templates that have the version already
	Others        int // objects of other kinds
	OthersChanged int // objects of other kinds that changed
	// OthersCurrent counts the objects of other kinds that have the form of the target version, and would be changed by
	// the conversion to another version. So a second run counts as many objects as the first.
	OthersCurrent int
}

// Add adds the counts of another result.
func (c *Counts) Add(more Counts) {
	c.Claims += more.Claims
	c.Converted += more.Converted
	c.Unchanged += more.Unchanged
	c.Others += more.Others
	c.OthersChanged += more.OthersChanged
	c.OthersCurrent += more.OthersCurrent
}

// fail adds the errors of an object, of which nothing is written.
func (r *Result) fail(errs ...findings.Finding) {
	r.Failed = true
	r.Findings.Add(findings.AsOneFailure(errs)...)
}

// report adds findings without marking the result as failed.
func (r *Result) report(all ...findings.Finding) { r.Findings.Add(all...) }

// Include adds the findings, counts and facts of a part of the input.
func (r *Result) Include(part *Result) {
	r.Findings.AddAll(part.Findings)
	r.Counts.Add(part.Counts)
	r.Facts.Add(part.Facts)
}

// concernsClaims reports whether the result is about a claim or a related object.
func (r *Result) concernsClaims() bool {
	return r.Findings.Failed()+r.Findings.Warnings()+r.Counts.Claims+r.Counts.OthersCurrent > 0
}
