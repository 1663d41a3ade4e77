package convert

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// mergePatch reports whether what was taken for a claim has directives of a strategic-merge patch, like spec.$retainKeys. What is converted
// without them would not delete any more, but create. One that has the version stays, if it has no other unknown field.
func (p *part) mergePatch(c *claim, err error) (is, stays bool) {
	unknown := c.report.Unknown
	if e, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		unknown = e.Fields
	}
	isDirective := func(path string) bool { return strings.HasPrefix(path[strings.LastIndex(path, ".")+1:], "$") }
	first := slices.IndexFunc(unknown, isDirective)
	if first < 0 {
		return false, false
	}
	others := slices.DeleteFunc(slices.Clone(unknown), isDirective)
	switch {
	case !c.same:
		p.log.Refuse(c.at, c.header(), []problems.What{problems.At(finding.StrategicMergePatch, unknown[first],
			"makes this a strategic-merge patch and no claim: change its apiVersion, and the fields that it patches, by hand")})
	case len(others) > 0:
		p.log.Object(c.at, c.header(), &conversion.UnknownFieldError{Fields: others})
	default:
		p.same++
		return true, true
	}
	return true, false
}

// inMap are values of labels and annotations, which API servers take for empty texts where they are null.
var inMap = regexp.MustCompile(`^(?:spec\.)?metadata\.(?:labels|annotations)[.\[]`)

// nulls that a file would lose. Null deletes in a patch, and in an object that stands in another one, as in the values of a chart, which are
// merged with others. In a claim by itself it leaves a field unset.
func (p *part) nulls(c *claim) (lost []problems.What) {
	if !bytes.Contains(c.raw, []byte("null")) {
		return nil
	}
	kept, merged := nullsIn(c.converted), c.at.Path != "" || p.patches.Has(c.at.File)
	for _, path := range nullsIn(c.raw) {
		switch {
		case slices.Contains(kept, path):
		case merged:
			lost = append(lost, problems.At(finding.StrategicMergePatch, path,
				"is null, which deletes where this is merged, and would be lost: change the apiVersion, and the fields, by hand"))
		case p.inPlace != nil && inMap.MatchString(path):
			lost = append(lost, problems.At(finding.WrongType, path, "is null, and must be a string"))
		}
	}
	return lost
}

func nullsIn(object []byte) (paths []string) {
	treeOf(object).walk(func(t *tree) bool {
		if t.is == 'n' {
			paths = append(paths, t.path)
		}
		return true
	})
	return paths
}
