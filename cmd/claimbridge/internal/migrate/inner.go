package migrate

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// inner is an object in another one, as Argo CD, Flux and Helm have them in their values, and
// whatever makes objects in its templates. What stands there as a whole is converted as it would be
// in a file of its own, but that no release is asked about it: its fields may be filled in later.
// What is in the version already stays, as it may have a variable in place of a number.
func (o *other) inner(t *tree) {
	apiVersion, kind := t.textOf("apiVersion"), t.textOf("kind")
	_, version, _ := strings.Cut(apiVersion, "/")
	isClaim := o.Groups.Claim(apiVersion, kind)
	_, known := api.Find(version)
	switch isNamed := known && t.member("spec") == nil && t.member("metadata") == nil; {
	case isNamed && version == o.to:
		return
	case isNamed:
		named, text := t.member("apiVersion"), fmt.Sprintf("names a %s of %s, and not of %s", kind, version, o.to)
		if o.isKustomizeFile() && isClaim { // what a variable refers to
			o.edit(finding.NamedVersion, named, objectjson.Quote(api.Group+"/"+o.to), text)
		} else {
			o.tell(finding.NamedVersion, named, text)
		}
		o.shapeInBuild(t)
		return
	case isClaim && version == o.to:
		o.seen, o.same = o.seen+1, o.same+1
		o.shapeInBuild(t)
		return
	}
	at, locate, path := o.at, o.log.Locate, t.path()
	defer func() { o.log.Locate = locate }()
	if at.Path = objectjson.JoinPath(at.Path, path); locate != nil {
		o.log.Locate = func(_ []int, field string) (line, column int) {
			return locate(o.at.Items, objectjson.JoinPath(path, field))
		}
		if line, _ := locate(at.Items, path); line > 0 {
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
		err := fmt.Errorf("objects are nested in one another more than %d deep", claims.MaxLists)
		o.log.Error(&yamldoc.DocumentError{Position: at, Err: err})
		return
	}
	o.nested++
	defer func() { o.nested-- }()
	if wanted, changed, _ := o.part.other(at, apiVersion, kind, object, object); changed {
		o.changes = append(o.changes, change{t.begin, t.end, wanted})
	}
}
