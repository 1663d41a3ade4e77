package convert

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// isInner reports whether an object stands in another one, or is named there, and is one of the groups that claims are looked for in.
func (p *part) isInner(t *tree) bool {
	apiVersion := t.textOf("apiVersion")
	return t.textOf("kind") != "" && strings.Contains(apiVersion, "/") && p.Groups.Names(apiVersion)
}

// inner is an object in another one, as Argo CD, Flux and Helm have them in their values, and whatever makes objects in its
// templates. What stands there as a whole is converted as it would be in a file of its own, but that no release is asked about it: its
// fields may be filled in later. What is in the version already stays, as it may have a variable in place of a number.
func (o *other) inner(t *tree) {
	apiVersion, kind := t.textOf("apiVersion"), t.textOf("kind")
	_, version, _ := strings.Cut(apiVersion, "/")
	isClaim := o.Groups.Claim(apiVersion, kind)
	_, known := api.Find(version)
	switch isNamed := known && t.member("spec") == nil && t.member("metadata") == nil; {
	case isNamed && version == o.to:
		return
	case isNamed:
		o.tell(finding.InnerObject, t.member("apiVersion"), fmt.Sprintf("names a %s of %s, and not of %s", kind, version, o.to))
		o.shape(t, nil)
		return
	case isClaim && version == o.to:
		o.seen, o.same = o.seen+1, o.same+1
		o.shape(t, nil)
		return
	}
	at, locate := o.at, o.log.Locate
	defer func() { o.log.Locate = locate }()
	if at.Path = kjson.JoinPath(at.Path, t.path()); locate != nil {
		o.log.Locate = func(_ []int, field string) (line, column int) {
			return locate(o.at.Items, kjson.JoinPath(t.path(), field))
		}
		if line, _ := locate(at.Items, t.path()); line > 0 {
			at.Line = line
		}
	}
	object := o.object[t.begin:t.end]
	if isClaim {
		if converted, same, ok := o.claim(object, at); ok && !same {
			o.changes = append(o.changes, change{t.begin, t.end, bytes.Clone(converted)})
		}
		return
	}
	if o.nested == claims.MaxLists {
		o.log.Error(&manifest.DocumentError{Position: at, Err: claims.ErrObjects})
		return
	}
	o.nested++
	defer func() { o.nested-- }()
	wanted, changed, _ := o.part.other(at, apiVersion, kind, object, func() ([]byte, error) { return object, nil })
	if changed {
		o.changes = append(o.changes, change{t.begin, t.end, wanted})
	}
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
