package convert

import (
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/validation"
)

// doubts are reasons not to write what was converted: it would lose something that is not kept anywhere, or it would be refused.
func (p *part) doubts(at manifest.Position, raw, converted []byte, report conversion.Report) (doubts []problems.What) {
	doubts = append(doubts, p.deallocation(converted, report)...)
	if report.Version != p.to {
		doubts = append(doubts, slices.Concat(tooLarge(converted, p.to), p.nulls(at, raw, converted))...)
	}
	if p.target.Release != "" {
		refusals := p.refusals(converted)
		if len(refusals) > 0 && (at.Path != "" || p.patches.Has(at.File) || manifest.IsMarkdown(at.File)) {
			refusals = nil
		}
		for _, refusal := range refusals {
			named := func(d problems.What) bool { return d.Field != "" && d.Field == refusal.Field }
			if !slices.ContainsFunc(doubts, named) {
				doubts = append(doubts, refusal)
			}
		}
	}
	return doubts
}

// writes of a claim are its creation, and then that of its status.
func writes(object []byte) ([]validation.Request, error) {
	members, _, err := kjson.Members(object)
	if err != nil {
		return nil, err
	}
	requests := []validation.Request{{Operation: validation.Create, Object: object}}
	if kjson.Find(members, "status") >= 0 {
		requests = append(requests, validation.Request{Operation: validation.UpdateStatus, Object: object, OldObject: without(members, "status")})
	}
	return requests, nil
}

// dropped warns of fields that the release drops: of a claim that is refused always, since that may be why.
func (p *part) dropped(at manifest.Position, raw, converted []byte, written bool) {
	requests, err := writes(converted)
	if err != nil {
		return // it was judged, so there is none
	}
	for _, request := range requests {
		request.OldObject = nil // what it would hold is dropped before
		texts, err := release.Drops(request, p.target.Release)
		if err != nil {
			continue
		}
		for _, text := range texts {
			if written && p.log.Enough(finding.DroppedFields) {
				continue
			}
			header, _ := conversion.ReadHeader(raw) // it was converted, so it can be read
			field, why, _ := strings.Cut(text, ": ")
			dropped := problems.At(finding.DroppedFields, field, why)
			if written {
				p.log.Advise(at, header, dropped)
			} else {
				p.log.Warn(at, header, dropped)
			}
		}
	}
}

// refusals are what the rules of the release have against a claim: as it is created, and then as its status is written.
func (p *part) refusals(object []byte) (refusals []problems.What) {
	requests, err := writes(object)
	if err != nil {
		return []problems.What{{Rule: finding.CannotBeConverted, Text: err.Error()}}
	}
	for _, request := range requests {
		verdict, err := release.Judge(request, p.to, p.target.Release)
		if err != nil {
			return append(refusals, problems.What{Rule: finding.CannotBeConverted, Text: err.Error()})
		}
		if request.Operation == validation.Create {
			metadata, err := release.JudgeMetadata(request, conversion.Header{Version: p.to})
			if err != nil {
				return append(refusals, problems.What{Rule: finding.CannotBeConverted, Text: err.Error()})
			}
			verdict.Errors = append(metadata, verdict.Errors...)
		}
		for _, e := range verdict.Errors {
			refusal := "Kubernetes " + p.target.Release + " would refuse " + e.Field + ": " + e.Type.String()
			if e.Detail != "" {
				refusal += ": " + e.Detail
			}
			if e.Rule != "" { // none of metadata
				refusal += " (" + e.Rule + ")"
			}
			refusals = append(refusals, problems.Refused(e, refusal))
		}
	}
	return refusals
}

// without is an object without some of its members.
func without(members []kjson.Member, names ...string) []byte {
	return manifest.AppendObject(nil, slices.DeleteFunc(slices.Clone(members), func(m kjson.Member) bool { return slices.Contains(names, m.Name) }))
}
