package convert

import (
	"bytes"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
)

// adminAccess says which label a namespace needs for a converted claim that asks for it. Parameters of a driver that look so
// are taken for one.
func (p *part) adminAccess(at manifest.Position, raw, converted []byte) {
	label := p.adminLabel()
	if label == "" || !bytes.Contains(converted, []byte(`"adminAccess":true`)) || p.log.Enough(finding.AdminAccess) {
		return
	}
	header, _ := conversion.ReadHeader(raw) // it was converted, so it can be read
	p.log.Advise(at, header, problems.What{Rule: finding.AdminAccess, Text: "adminAccess is true, for which the namespace needs the label " + label})
}

// adminLabel of a namespace came with 1.33, and has another name since 1.34; empty where none is needed, or nobody knows.
func (p *part) adminLabel() string {
	const first, since = `resource.k8s.io/admin-access: "true"`, `resource.kubernetes.io/admin-access: "true"`
	switch {
	case p.target.Release == "1.33":
		return first
	case p.to == "v1":
		return since
	case p.to == "v1beta2":
		return since + ", in 1.33 " + first
	}
	return ""
}
