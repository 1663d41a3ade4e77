package convert

import (
	"bytes"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// isTemplate reports whether a document can be read, since its braces are in quotes, and is a template of a chart. What has none is
// rendered to itself.
func isTemplate(d *manifest.Document) bool {
	source, _, _ := d.Source()
	return manifest.HasBraces(source) && input.InChart(d.File)
}

// template is looked at and not edited, nor judged: what it is rendered to may be anything.
func (p *part) template(d *manifest.Document) {
	source, _, _ := d.Source()
	var changes bool
	switch {
	case p.groups.Claim(d.APIVersion, d.Kind):
		changes = !strings.HasSuffix(d.APIVersion, "/"+p.to)
	case d.IsList():
		changes = bytes.Contains(source, []byte(api.Group)) || hasPodClaims(source) // nobody looks closer
	default:
		w, ok := p.wanted(d)
		changes = ok && w.changed
	}
	if changes {
		p.log.Document(d, manifest.ErrInChart)
	}
}
