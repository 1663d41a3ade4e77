package main

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// converter is what parts are converted to, and how. It does not change.
type converter struct {
	to              string
	output          manifest.Writer // only asked for parts
	groups          groups
	strict, explain bool
	// objects counts claims and templates while they are converted.
	objects *atomic.Int64
}

var errNoType = errors.New("is not an object of Kubernetes: apiVersion and kind must be set")

// claim converts one claim or template, which is the same if it has the version already. The answer is valid until the
// next call. When it is not ok, why was told.
func (p *part) claim(raw []byte, at manifest.Position) (converted []byte, same, ok bool) {
	p.objects.Add(1)
	converted, report, err := conversion.Append(p.converted[:0], raw, p.to, conversion.Options{Strict: p.strict, AnnotationsOnly: true, Carried: p.explain})
	p.converted = converted
	same = report.Version == p.to
	remarkable := len(report.Unknown)+len(report.Ignored)+len(report.Lost) > 0 || report.Incomplete != ""
	if err != nil || remarkable || p.explain || same && p.strict {
		return converted, same, p.tell(at, raw, report, err)
	}
	return converted, same, true
}

// tell whether a claim failed, and what is to be said about it.
func (p *part) tell(at manifest.Position, raw []byte, report conversion.Report, err error) (ok bool) {
	header, unreadable := conversion.ReadHeader(raw)
	switch {
	case unreadable != nil:
		err = unreadable
	case header.Version == p.to && p.strict:
		if faulty := decodesStrictly(raw, header); faulty != nil {
			err = faulty
		}
	case err == nil && report.Incomplete != "" && p.strict:
		err = fmt.Errorf("%s: what %s has no field for is more than annotations may hold; convert it to a version that has the fields, or drop it with --validate=false", report.Incomplete, p.to)
	}
	if err != nil {
		p.problems.object(at, header, err)
		return false
	}
	p.tellLosses(at, header, report)
	if p.explain {
		p.tellMoves(at, header, raw, report)
	}
	return true
}

// tellLosses tells what got lost.
func (p *part) tellLosses(at manifest.Position, h conversion.Header, report conversion.Report) {
	for _, field := range report.Unknown {
		p.problems.note(at, h, "warning: "+field+": dropped: "+unknownField(h.Version, field))
	}
	for _, field := range report.Lost {
		p.problems.note(at, h, "warning: "+field+": dropped, "+p.to+" has no place for it")
	}
	for _, leftover := range report.Ignored {
		p.problems.note(at, h, "warning: leftover ignored: "+leftover)
	}
	if report.Incomplete != "" {
		p.problems.note(at, h, "warning: "+report.Incomplete+": leftovers dropped, annotations have no room for them; do not write this copy back")
	}
}

// tellMoves tells what went where.
func (p *part) tellMoves(at manifest.Position, h conversion.Header, raw []byte, report conversion.Report) {
	if h.Version == p.to {
		p.problems.note(at, h, "has version "+p.to+" already")
		return
	}
	p.problems.note(at, h, h.Version+" to "+p.to)
	moves, err := conversion.Explain(raw, p.to)
	for _, move := range moves {
		fmt.Fprintf(p.problems.w, "  moved    %s\n", move)
	}
	if err != nil { // it was converted, so this is for the intermediate versions only
		fmt.Fprintf(p.problems.w, "  and more: %v\n", err)
	}
	for _, leftover := range report.Carried {
		fmt.Fprintf(p.problems.w, "  carried  %s\n", leftover)
	}
}
