package convert

import (
	"errors"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// patchDirective is the path of the first one of a strategic-merge patch, like spec.$retainKeys, in what was taken for a claim; none
// if it is empty. What is converted without it would not delete any more, but create.
func patchDirective(report conversion.Report, err error) string {
	unknown := report.Unknown
	if e, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		unknown = e.Fields
	}
	isDirective := func(path string) bool { return strings.HasPrefix(path[strings.LastIndex(path, ".")+1:], "$") }
	if i := slices.IndexFunc(unknown, isDirective); i >= 0 {
		return unknown[i]
	}
	return ""
}

func (p *part) refusePatch(at manifest.Position, raw []byte, directive string) {
	header, _ := conversion.ReadHeader(raw) // without one there is no directive
	p.log.Refuse(at, header, []problems.What{problems.At(finding.StrategicMergePatch, directive,
		"makes this a strategic-merge patch and no claim: change its apiVersion, and the fields that it patches, by hand")})
}
