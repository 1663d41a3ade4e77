package migrate

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/validation"
)

// doubts are reasons not to write what was converted: it would lose something that is not kept
// anywhere, or it would be refused.
func (p *part) doubts(c *claim) (doubts []problems.What) {
	doubts = p.deallocation(c)
	if !c.same {
		doubts = slices.Concat(doubts, tooLarge(c.converted, p.to), p.nulls(c))
		if base := p.unconvertedBaseOfPatch(c.at.File); base != "" {
			doubts = append(doubts, baseIsNotConverted(base))
		}
	}
	// Of a part of a claim no release knows what it becomes.
	if p.To.Release == "" || c.at.Path != "" || p.patches.Has(c.at.File) || yamldoc.IsMarkdown(c.at.File) {
		return doubts
	}
	refusals, err := p.refusals(c)
	if err != nil {
		refusals = append(refusals, problems.What{Rule: finding.CannotBeConverted, Text: err.Error()})
	}
	for _, refusal := range refusals {
		if refusal.Field == "" || !slices.ContainsFunc(doubts, func(d problems.What) bool {
			return d.Field == refusal.Field
		}) {
			doubts = append(doubts, refusal)
		}
	}
	return doubts
}

// inMap are values of labels and annotations, which API servers take for empty texts where they are null.
var inMap = regexp.MustCompile(`^(?:spec\.)?metadata\.(?:labels|annotations)[.\[]`)

// nulls that a file would lose. Null deletes in a patch, and in an object that stands in another
// one, as in the values of a chart, which are merged with others. In a claim by itself it leaves a
// field unset.
func (p *part) nulls(c *claim) (lost []problems.What) {
	if !bytes.Contains(c.raw, []byte("null")) {
		return nil
	}
	kept, merged := nullsIn(c.converted), c.at.Path != "" || p.patches.Has(c.at.File)
	for _, path := range nullsIn(c.raw) {
		switch {
		case slices.Contains(kept, path) && !strings.HasPrefix(path, cut):
		case merged:
			lost = append(lost, problems.At(finding.StrategicMergePatch, path,
				"is null, which deletes where this is merged, and would be lost: change the apiVersion, and the "+
					"fields, by hand"))
		case p.inPlace != nil && inMap.MatchString(path):
			lost = append(lost, problems.At(finding.WrongType, path, "is null, and must be a string"))
		}
	}
	return lost
}

func nullsIn(object []byte) (paths []string) {
	treeOf(object).walk(func(t *tree) bool {
		if t.is == 'n' {
			paths = append(paths, t.path())
		}
		return true
	})
	return paths
}

// writes of a claim are its creation, and then that of its status.
func writes(object []byte) []validation.Request {
	members, _, _ := objectjson.Members(object) // it was written by a conversion
	requests := []validation.Request{{Operation: validation.Create, Object: object}}
	if objectjson.Find(members, "status") >= 0 {
		requests = append(requests, validation.Request{
			Operation: validation.UpdateStatus, Object: object, OldObject: without(members, "status"),
		})
	}
	return requests
}

// without is an object without some of its members.
func without(members []objectjson.Member, names ...string) []byte {
	return yamldoc.AppendObject(nil, slices.DeleteFunc(slices.Clone(members), func(m objectjson.Member) bool {
		return slices.Contains(names, m.Name)
	}))
}

// refusals are what the rules of the release have against a claim: as it is created, and then as its status is written.
// What depends on the value of a variable is left out.
func (p *part) refusals(c *claim) (refusals []problems.What, err error) {
	typed := p.movedVariables(c)
	for _, request := range writes(variables.Replace(c.converted)) {
		result, err := release.Validate(request, p.to, p.To.Release)
		if err != nil {
			return refusals, err
		}
		if request.Operation == validation.Create {
			header, err := conversion.ReadHeader(request.Object)
			if err != nil {
				return refusals, err
			}
			metadata, err := release.ValidateMetadata(request, header)
			if err != nil {
				return refusals, err
			}
			result.Errors = append(metadata, result.Errors...)
		}
		for _, e := range variables.Skip(result.Errors, c.converted, typed...) {
			refusals = append(refusals, problems.Refused("Kubernetes "+p.To.Release+" would refuse ", e))
		}
	}
	return refusals, nil
}

// dropped warns of fields that the release drops: of a claim that is refused always, since that may be why.
func (p *part) dropped(c *claim, isWritten bool) {
	say := p.log.Warn
	if isWritten {
		say = p.log.Advise
	}
	for _, request := range writes(c.converted) {
		request.OldObject = nil // what it would hold is dropped before
		texts, _ := release.Drops(request, p.To.Release)
		for _, text := range texts {
			field, why, _ := strings.Cut(text, ": ")
			say(c.at, c.header(), problems.At(finding.DroppedFields, field, why))
		}
	}
}
