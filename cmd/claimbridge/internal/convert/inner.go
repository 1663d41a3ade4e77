package convert

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// isInner reports whether an object stands in another one, or is named there, and is one of the groups that claims are looked for in.
func (p *part) isInner(t *tree) bool {
	apiVersion := t.textOf("apiVersion")
	return t.textOf("kind") != "" && strings.Contains(apiVersion, "/") && p.groups.Names(apiVersion)
}

// inner is what becomes of an object in another one, as Argo CD, Flux and Helm have them in their values, and whatever makes objects in its
// templates. What stands there as a whole is converted as it would be in a file of its own, but that no release is asked about it: its
// fields may be filled in later. What is in the version already stays, as it may have a variable in place of a number.
func (p *part) inner(at manifest.Position, t *tree, object []byte, tell tells) []change {
	apiVersion, kind := t.textOf("apiVersion"), t.textOf("kind")
	_, version, _ := strings.Cut(apiVersion, "/")
	isClaim := p.groups.Claim(apiVersion, kind)
	if _, known := api.Find(version); known && t.member("spec") == nil && t.member("metadata") == nil {
		if version == p.to {
			return nil
		}
		tell(finding.InnerObject, t.member("apiVersion").path, fmt.Sprintf("names a %s of %s, and not of %s", kind, version, p.to))
		p.shape(t, nil, tell)
		return nil
	}
	if version == p.to && isClaim {
		p.seen, p.same = p.seen+1, p.same+1
		p.shape(t, nil, tell)
		return nil
	}
	locate, items := p.log.Locate, at.Items
	defer func() { p.log.Locate = locate }()
	if at.Path = kjson.JoinPath(at.Path, t.path); locate != nil {
		p.log.Locate = func(_ []int, field string) (line, column int) { return locate(items, kjson.JoinPath(t.path, field)) }
		if line, _ := locate(items, t.path); line > 0 {
			at.Line = line
		}
	}
	var wanted []byte
	var changed bool
	if isClaim {
		converted, same, ok := p.claim(object, at)
		wanted, changed = bytes.Clone(converted), ok && !same
	} else {
		wanted, changed, _ = p.wantedOther(at, apiVersion, kind, object, func() ([]byte, error) { return object, nil })
	}
	if !changed {
		return nil
	}
	return []change{{t.begin, t.end, wanted}}
}
