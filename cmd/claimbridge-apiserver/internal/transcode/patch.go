package transcode

import (
	"net/http"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/audit"

	"github.com/claimbridge/claimbridge/validation"
)

var patchTypes = []string{
	string(types.JSONPatchType), string(types.MergePatchType), string(types.StrategicMergePatchType), string(types.ApplyYAMLPatchType),
}

// patchType of the request; not one that API servers have is refused before anything else is said, as it is by their routes.
func (c *call) patchType() (types.PatchType, error) {
	contentType, _, _ := strings.Cut(c.r.Header.Get("Content-Type"), ";")
	if !slices.Contains(patchTypes, strings.TrimSpace(contentType)) {
		return "", apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "", schema.GroupResource{}, "", "415: Unsupported Media Type", 0, false)
	}
	return types.PatchType(strings.TrimSpace(contentType)), nil
}

// patch an object. It stays a patch on its way, since its caller may be allowed to patch and not to update: as it is, where the versions say
// the same, and else as one that makes of the live object what the caller's makes of what they see of it.
func (c *call) patch() error {
	form, err := c.patchType()
	if err != nil {
		return err
	}
	body, err := c.body()
	if err != nil {
		return err
	}
	options := metav1.PatchOptions{}
	if err := c.options("PatchOptions", &options, func() field.ErrorList { return metavalidation.ValidatePatchOptions(&options, form) }); err != nil {
		return err
	}
	if form == types.ApplyYAMLPatchType {
		if text, err := yaml.ToJSON(body); err == nil {
			audit.LogRequestPatch(c.ctx(), text)
		}
		return c.apply(body, options.FieldValidation)
	}
	if !isPatch(form, body, options.FieldValidation) { // the store says why
		return c.forward(c.request(http.MethodPatch, body, string(form)))
	}
	audit.LogRequestPatch(c.ctx(), body)
	if forwarded, same := c.asItIs(form, body); same {
		resp, err := c.send(c.ctx(), c.request(http.MethodPatch, forwarded, string(form)))
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusUnprocessableEntity || !c.refusedPatch(resp) {
			return c.answer(resp)
		}
		_ = resp.Body.Close() // it quotes the object, which is to be that of the version
	}
	return c.patchShown(form, body, options.FieldValidation)
}

// refusedPatch tells whether an answer is about what a patch makes of an object. The answer can still be read.
func (c *call) refusedPatch(resp *http.Response) bool {
	status := c.peekStatus(resp)
	return status.Details != nil && len(status.Details.Causes) > 0 && status.Details.Causes[0].Field == "patch"
}

// patchShown patches what the version shows of the live object, and sends what becomes of the live one by that: as one operation that replaces
// all of it, and that another writer's change makes a conflict, by the resourceVersion.
func (c *call) patchShown(form types.PatchType, patch []byte, fieldValidation string) error {
	try := func(live, shown []byte) (change, error) {
		object, err := c.patched(form, shown, patch, fieldValidation)
		if err != nil {
			return change{}, err
		}
		was, wanted := metadataOf(shown).resourceVersion, metadataOf(object)
		if err := c.named(wanted); err != nil {
			return change{}, err
		}
		if anyVersion(wanted.resourceVersion) && wanted.resourceVersion != "" {
			if object, err = ofVersion(object, was); err != nil {
				return change{}, err
			}
			wanted.resourceVersion = was
		}
		final := wanted.resourceVersion != "" && wanted.resourceVersion != was
		next, err := c.put(live, object)
		switch {
		case err != nil && final:
			return change{}, c.conflict()
		case err != nil:
			return change{}, c.unsaid(object, err)
		}
		body := append([]byte(`[{"op":"replace","path":"","value":`), next...)
		return change{
			request: c.request(http.MethodPatch, append(body, "}]"...), string(types.JSONPatchType)),
			final:   final,
			other:   final,
			refusal: c.judged(validation.Request{Operation: c.operation(), Object: object, OldObject: shown}),
		}, nil
	}
	return c.rewrite(try, func() error { return apierrors.NewNotFound(c.GroupResource(), c.name) })
}
