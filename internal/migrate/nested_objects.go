package migrate

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/objectjson"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// convertNested converts an object in another one, as Argo CD, Flux and Helm have them in their values, and controllers
// in their templates. A complete object is converted as in its own file, but no release validates it: its fields may be
// set later. One of the target version is unchanged, because it may have a variable in place of a number.
func (o *relatedObject) convertNested(t *jsonNode) {
	apiVersion, kind := t.textOf("apiVersion"), t.textOf("kind")
	version := versionIn(apiVersion)
	isClaim := o.Groups.IsClaim(apiVersion, kind)
	_, isKnown := api.Find(version)
	isReference := isKnown && t.member("spec") == nil && t.member("metadata") == nil
	switch {
	case isReference:
		if version != o.version {
			o.convertReference(t, kind, version, isClaim)
		}
	case isClaim && version == o.version:
		o.result.Counts.Claims++
		o.result.Counts.Unchanged++
		o.reportMovedFieldInBuild(t)
	case isClaim:
		o.includeNested(t, o.convertClaim(o.nested(t.path()), o.object[t.begin:t.end]))
	default:
		o.convertNestedRelated(t, apiVersion, kind)
	}
}

// convertReference handles a value that refers to objects of another version.
func (o *relatedObject) convertReference(t *jsonNode, kind, version string, isClaim bool) {
	named := t.member("apiVersion")
	message := fmt.Sprintf("names a %s of %s, not of %s", kind, version, o.version)
	if o.isKustomizeFile() && isClaim { // the object that a variable of kustomize refers to
		o.fixInKustomization(findings.NamedVersion, named, objectjson.Quote(api.Group+"/"+o.version), message)
	} else {
		o.warn(findings.NamedVersion, named, message)
	}
	o.reportMovedFieldInBuild(t)
}

// convertNestedRelated converts an object of another kind in the object.
func (o *relatedObject) convertNestedRelated(t *jsonNode, apiVersion, kind string) {
	in := o.nested(t.path())
	object := o.object[t.begin:t.end]
	if in.depth == claims.MaxNesting {
		err := fmt.Errorf("objects are nested more than %d levels deep", claims.MaxNesting)
		o.result.report(findings.FromError(o.Input, &yamldoc.DocumentError{Position: in.position, Err: err}))
		return
	}
	in.depth++
	o.includeNested(t, o.Converter.convertRelated(in, apiVersion, kind, object, object))
}

// includeNested adds the result of an object in the object.
func (o *relatedObject) includeNested(t *jsonNode, nested Result) {
	o.result.Include(&nested)
	if nested.Changed {
		o.replace(t, nested.Object)
	}
}
