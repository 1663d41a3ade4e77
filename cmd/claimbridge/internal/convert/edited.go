package convert

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/splice"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// edited writes the text of a document with what the conversion changes, as its author writes; or the converted object anew,
// where the text cannot be edited.
func (p *part) edited(d *manifest.Document, w wanted) error {
	text, err := p.spliced(d, w)
	if err == nil {
		return p.out.Text(text)
	}
	if splice.HasComments(d) {
		p.log.Warn(d.Position, problems.HeaderOf(d), notInPlace("is written anew and without its comments, since it ", err))
	}
	return p.out.Object(w.object)
}

// notInPlace says why a text cannot be edited, and where.
func notInPlace(before string, err error) problems.What {
	what := problems.What{Rule: finding.CannotBeEdited, Text: before + err.Error()}
	if e, ok := errors.AsType[*splice.NotInPlaceError](err); ok {
		what.Line = e.Line
	}
	return what
}

// spliced is the text of a document, YAML or JSON in its file, with what is wanted. The error is a *splice.NotInPlaceError.
func (p *part) spliced(d *manifest.Document, w wanted) ([]byte, error) {
	words := func() *splice.Spelling {
		switch {
		case w.claim != nil:
			return spellingOf(w.claim, w.object)
		case w.list != nil:
			return p.spellingOfList(w.list, w.object)
		}
		return nil
	}
	if d.Text() == nil {
		source, _, _ := d.Source()
		result, err := splice.Edit(source, w.object, words)
		return result.Text, err
	}
	result, err := splice.Document(d, w.object, words)
	if err == nil && w.claim == nil && w.list == nil {
		p.mentions(d.File, d.Document, d.FirstLine(), d.Text(), result.Text)
	}
	// Of objects of other kinds what a comment stood at is written in its place.
	if n := len(result.Stranded); err == nil && n > 0 && w.claim != nil {
		others := ""
		if n > 1 {
			others = fmt.Sprintf(" (and %d more)", n-1)
		}
		p.log.Warn(d.Position, problems.HeaderOf(d), problems.What{
			Rule: finding.StrandedComment, Line: result.Stranded[0],
			Text: fmt.Sprintf("line %d%s: a comment stood at what %s has no place for, and stays where that was", result.Stranded[0], others, p.to),
		})
	}
	return result.Text, err
}

// spellingOf a conversion is how a claim is put in the words of conversions, found by the way back; nil where it is put so already.
func spellingOf(raw, converted []byte) *splice.Spelling {
	header, err := conversion.ReadHeader(raw)
	if err != nil {
		return nil
	}
	back := func(object []byte) []byte {
		o := conversion.Options{Strict: true, AnnotationsOnly: true, OmitDefaults: true}
		said, report, err := conversion.Append(nil, object, header.Version, o)
		if err != nil || len(report.Ignored)+len(report.Stale)+len(report.Lost) > 0 || report.Incomplete != "" {
			return nil
		}
		return kjson.Canonical(said)
	}
	said := back(converted)
	if said == nil || bytes.Equal(said, kjson.Canonical(raw)) {
		return nil
	}
	wanted, err := conversion.ReadHeader(converted)
	if err != nil {
		return nil
	}
	return &splice.Spelling{Source: said, Same: func(object []byte) bool {
		is, err := conversion.ReadHeader(object)
		return err == nil && is.Version == wanted.Version && bytes.Equal(back(object), said)
	}}
}
