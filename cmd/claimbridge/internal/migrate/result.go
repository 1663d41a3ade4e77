package migrate

import "github.com/claimbridge/claimbridge/cmd/claimbridge/internal/findings"

// Result of the conversion of a document, or of an object in one.
type Result struct {
	// Text of the document, edited if it changed. It is nil if the document is not written, or is written as Object.
	Text []byte
	// Object as JSON. It is nil if the object is of another kind and unchanged.
	Object []byte
	// Changed is set if the text or the object is another one than before.
	Changed bool
	// Failed is set if nothing is written of the object. Findings say why.
	Failed   bool
	Findings findings.List
	Counts   Counts
	Facts    Facts

	// original is the object as JSON before the conversion, for a claim or a list with claims.
	original []byte
	// duplicate is the first duplicate key. The text says more than the object, which has the last value.
	duplicate error
}

// Counts of the objects of an input by what became of them.
type Counts struct {
	Claims    int // and templates, with those that failed
	Converted int
	Unchanged int // claims and templates that have the version already
	Others    int // objects of other kinds
	Fixed     int // of the others, those that changed
	// Right are the others that would be fixed in another version. So a second run counts as many objects as the first.
	Right int
}

// Add other counts.
func (c *Counts) Add(more Counts) {
	c.Claims += more.Claims
	c.Converted += more.Converted
	c.Unchanged += more.Unchanged
	c.Others += more.Others
	c.Fixed += more.Fixed
	c.Right += more.Right
}

// fail adds the errors of an object, of which nothing is written.
func (r *Result) fail(errs ...findings.Finding) {
	r.Failed = true
	r.Findings.Add(findings.AsOneFailure(errs)...)
}

// report adds findings about an object that is written.
func (r *Result) report(all ...findings.Finding) { r.Findings.Add(all...) }

// Include adds the findings, counts and facts of a part of the input.
func (r *Result) Include(part *Result) {
	r.Findings.AddAll(part.Findings)
	r.Counts.Add(part.Counts)
	r.Facts.Add(part.Facts)
}

// isAbout reports whether the result is about an object that a file is read for.
func (r *Result) isAbout() bool {
	return r.Findings.Failed()+r.Findings.Warnings()+r.Counts.Claims+r.Counts.Right > 0
}
