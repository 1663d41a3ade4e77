package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// claim or template that is converted.
type claim struct {
	at             yamldoc.Position
	raw, converted []byte
	report         conversion.Report
	same           bool              // it has the version already
	typed          []variables.Typed // variables in fields that are no strings, for which converted has other values
}

// header of a claim. What was converted can be read, and has one. A dump is full of claims, so it
// is read when something is said of one.
func (c *claim) header() conversion.Header {
	h, _ := conversion.ReadHeader(c.raw)
	return h
}

// other is an object of another kind. It may be meant for a claim, or have to be changed now that
// claims are, by hand or here.
type other struct {
	*part
	at               yamldoc.Position
	apiVersion, kind string // as they are written
	header           conversion.Header
	object           []byte
	root             *tree
	changes          []change
	failures         []problems.What // what must be changed by hand
	isPatchFile      bool            // a file that holds a JSON patch
	hasReplacements  bool            // a kustomization names its file for replacements
	isEdited         bool            // a target or a patch is converted
	hasVersions      bool            // a target or a patch depends on the version
}

// change a value of the object, which is fixed by that.
func (o *other) change(t *tree, with []byte, fixed problems.What) {
	o.changes = append(o.changes, change{t.begin, t.end, with})
	o.log.Fixed(o.at, o.header, fixed)
}

// tell of something at a value.
func (o *other) tell(rule finding.Rule, t *tree, text string) { o.tellRow(rule, t, text, 0, "", false) }

// tellRow is tell with the line of a row of the value's text, if that stands there as it is: where
// it is expected, or in the line behind, as a text begins beside its name or below.
func (o *other) tellRow(rule finding.Rule, t *tree, text string, line int, row string, isError bool) {
	if !isError && o.log.Enough(rule) {
		return
	}
	what := problems.At(rule, t.path(), text)
	if o.log.Locate != nil && row != "" && o.parsed != nil {
		begin, _ := o.log.Locate(o.at.Items, what.Field)
		for _, at := range []int{begin + line, begin + line + 1} {
			if begin > 0 && what.Line == 0 && strings.TrimSpace(string(o.parsed.Row(at))) == strings.TrimSpace(row) {
				what.Line = at
			}
		}
	}
	if isError {
		what.Text += "; change it by hand"
		o.failures = append(o.failures, what)
		return
	}
	o.log.Advise(o.at, o.header, what)
}

// left is work that is left in a text which is not edited: a template, what cannot be read, a
// manifest or a patch in a string.
type left struct {
	at      int // offset in the text
	line    int // of the text, from 0, and so the column
	column  int
	version string // that is named, or else
	field   string // that moved
	why     string // and what is said of it
}

// String of what is left, as what is said of a line.
func (l left) String() string {
	if l.version != "" {
		return "names " + l.version + " of " + api.Group
	}
	return l.field + " " + l.why
}

// wanted is what a document is to become.
type wanted struct {
	// as JSON, valid until the next one; there may be none when it is unchanged, and texts can be
	// written
	object  []byte
	changed bool
	was     []byte // as JSON, if it is a claim or a list with claims in it
	twice   error  // a key of it that is duplicated: its text says more than the object, of which the last one counts
}

// textOf a document as it stands in its file, be it YAML or JSON, and the line where that begins.
func textOf(d *yamldoc.Document) (text []byte, line int) {
	if d.Text != nil {
		return d.Text, d.FirstLine
	}
	text, _, _ = d.Source()
	return text, d.Line
}

// edit is what becomes of a file.
type edit struct {
	name    string
	part    *part // what was said of it
	other   bool  // it is no manifest, and only copied
	skipped bool  // it holds nothing that is looked for
	changed bool
	speaks  bool // of claims, where nothing is left in it
	told    bool // that it is a template, or cannot be read, and what is left in it

	documents, objects int // in it
	diff               []byte
	staged             *files.Staged
}

// change of a text: what stands from begin to end is replaced. All else stays as it is, byte for byte.
type change struct {
	begin, end int
	with       []byte
}

// changedText is a text with changes that are in its order.
func changedText(text []byte, changes []change) []byte {
	if len(changes) == 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64*len(changes))
	at := 0
	for _, c := range changes {
		out = append(append(out, text[at:c.begin]...), c.with...)
		at = c.end
	}
	return append(out, text[at:]...)
}

// inOrder are changes in the order of the text, without those within others.
func inOrder(changes []change) []change {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(a.begin-b.begin, b.end-a.end) })
	end := 0
	return slices.DeleteFunc(changes, func(c change) bool {
		within := c.end <= end
		end = max(end, c.end)
		return within
	})
}
