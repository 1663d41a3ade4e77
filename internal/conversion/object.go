package conversion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/conversion/hub"
	"github.com/claimbridge/claimbridge/internal/conversion/preserve"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// object is a claim or a template whose members are still text.
type object struct {
	objectjson.Object
	// template has the members of a template's spec, and templateMetadata is its metadata.
	template         []objectjson.Member
	templateMetadata objectjson.Metadata
	// unknown has the paths of unknown and duplicate fields outside of metadata and of the claim.
	unknown []string
}

// readObject reads an object. It shares memory with the text. If there is an error, the header has the fields that
// could be read.
func readObject(text []byte) (*object, error) {
	read, err := objectjson.ReadObject(text)
	obj := &object{Object: read}
	if err != nil {
		return obj, err
	}
	obj.unknown = obj.Duplicates
	switch obj.Kind {
	case api.KindClaim:
		obj.addUnknown(obj.Members, "", "apiVersion", "kind", "metadata", "spec", "status")
		return obj, nil
	case api.KindTemplate:
		obj.addUnknown(obj.Members, "", "apiVersion", "kind", "metadata", "spec")
		return obj, obj.readTemplate()
	}
	return obj, fmt.Errorf("%w %q: must be %s or %s", ErrKind, obj.Kind, api.KindClaim, api.KindTemplate)
}

func (obj *object) readTemplate() error {
	members, duplicates, err := objectjson.Members(objectjson.Get(obj.Members, "spec"))
	if err != nil {
		return objectjson.AtPath("spec", err)
	}
	obj.template = members
	obj.addUnknown(members, "spec", "metadata", "spec")
	for _, name := range duplicates {
		obj.unknown = append(obj.unknown, objectjson.JoinPath("spec", name))
	}
	return nil
}

// addUnknown records the members that are not known.
func (obj *object) addUnknown(members []objectjson.Member, path string, known ...string) {
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			obj.unknown = append(obj.unknown, strings.Clone(objectjson.JoinPath(path, m.Name)))
		}
	}
}

// readTemplateMetadata reads spec.metadata of a template.
func (obj *object) readTemplateMetadata() error {
	if obj.Kind != api.KindTemplate {
		return nil
	}
	metadata, err := objectjson.ReadMetadata(objectjson.Get(obj.template, "metadata"))
	obj.templateMetadata = metadata
	return objectjson.AtPath("spec.metadata", err)
}

// readClaim decodes the spec and the status. It returns the paths of unknown and duplicate fields.
func (obj *object) readClaim() (claim hub.Claim, unknown []string, err error) {
	texts := obj.partTexts()
	claim, unknown, err = hub.Read(obj.Version, texts.Spec, texts.Status)
	if obj.Kind == api.KindTemplate {
		for i := range unknown {
			unknown[i] = objectjson.JoinPath("spec", unknown[i])
		}
		err = objectjson.AtPath("spec", err)
	}
	return claim, unknown, err
}

// partTexts returns the text of the claim's spec and status. In a template the spec is the one inside the template's
// own spec.
func (obj *object) partTexts() preserve.Texts {
	if obj.Kind == api.KindTemplate {
		return preserve.Texts{Spec: objectjson.Get(obj.template, "spec")}
	}
	return preserve.Texts{Spec: objectjson.Get(obj.Members, "spec"), Status: objectjson.Get(obj.Members, "status")}
}

// isDeletedDuringUpdate reports whether an API server that is asked to write the object deletes it: it has a
// deletionTimestamp and no finalizers.
func (obj *object) isDeletedDuringUpdate() bool {
	deletion := objectjson.Get(obj.Metadata.Members, "deletionTimestamp")
	finalizers := objectjson.Get(obj.Metadata.Members, "finalizers")
	return objectjson.StartsWith(deletion, '"') && len(objectjson.Items(finalizers)) == 0
}

func (obj *object) hubOptions(o Options) hub.Options {
	return hub.Options{
		IsFragment:   obj.Name == "" && obj.GenerateName == "",
		OmitDefaults: o.OmitDefaults,
		Manifest:     o.Manifest,
	}
}

// preservationTarget returns the object for package preserve. The data of a template is in the
// metadata that controllers copy to claims.
func (obj *object) preservationTarget(o Options) *preserve.Object {
	p := &preserve.Object{
		Metadata:              &obj.Metadata,
		Path:                  "metadata.",
		UID:                   obj.UID,
		IsDeletedDuringUpdate: obj.isDeletedDuringUpdate(),
	}
	if obj.Kind == api.KindTemplate {
		p.Metadata = &obj.templateMetadata
		p.Path = "spec.metadata."
		p.HasUnlimitedAnnotations = !o.Manifest // Kubernetes 1.26 to 1.33 limit those of built-in templates
	}
	return p
}
