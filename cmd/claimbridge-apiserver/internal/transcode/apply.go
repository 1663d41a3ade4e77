package transcode

import (
	"encoding/json"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/validation"
)

// apply sends what the caller applies as v1, and nothing that it does not say, so that who owns which field is the store's knowledge and
// conflicts are the store's own.
func (c *call) apply(patch []byte, fieldValidation string) error {
	fragment := map[string]any{}
	if yaml.Unmarshal(patch, &fragment) != nil { // the store says why
		return c.forward(c.request(http.MethodPatch, patch, string(types.ApplyYAMLPatchType)))
	}
	version, _ := fragment["apiVersion"].(string)
	kind, _ := fragment["kind"].(string)
	if got := schema.FromAPIVersionAndKind(version, kind); got != c.GroupVersionKind() {
		return apierrors.NewBadRequest(fmt.Sprintf("invalid object type: %v", got))
	}
	if err := yaml.UnmarshalStrict(patch, &map[string]any{}); err != nil && fieldValidation != metav1.FieldValidationIgnore {
		if fieldValidation == metav1.FieldValidationStrict {
			return apierrors.NewBadRequest(fmt.Sprintf("error strict decoding YAML: %v", err))
		}
		c.warn([]error{err})
	}
	text, err := json.Marshal(fragment)
	if err != nil { // YAML has numbers that JSON has not
		return apierrors.NewBadRequest(fmt.Sprintf("error encoding patch: %v", err))
	}
	up, err := c.fragment(text)
	if err != nil {
		return c.unsaid(text, err)
	}
	r := c.request(http.MethodPatch, up, string(types.ApplyYAMLPatchType))
	if refused, err := c.refusedApply(text, r); refused || err != nil {
		return err
	}
	return c.forward(r)
}

// refusedApply answers an apply whose result the rules of the version refuse, where the store has others. They judge objects. An apply to what
// is not there makes what it says; else only the store knows, and is asked by a dry run. What it refuses is answered in its words.
func (c *call) refusedApply(text []byte, r store.Request) (refused bool, err error) {
	if !c.hasRules() {
		return false, nil
	}
	live, err := c.live(c.ctx(), false)
	if err != nil {
		return false, err
	}
	if live == nil {
		return c.refusedCreation(text, r)
	}
	resp, err := c.store.AsCaller(c.ctx(), dryRun(r))
	if err != nil {
		return false, err
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return true, c.answer(resp)
	}
	made, err := c.readAll(resp)
	if err != nil {
		return false, err
	}
	write := validation.Request{Operation: c.operation()}
	if write.Object, err = c.lens.Down(nil, made); err != nil {
		return false, c.unshown(made, err)
	}
	if write.OldObject, err = c.lens.Down(nil, live); err != nil {
		return false, c.unshown(live, err)
	}
	return false, c.judged(write)
}

// refusedCreation of what an apply says, without a status, as by a create.
func (c *call) refusedCreation(object []byte, r store.Request) (refused bool, err error) {
	if c.info.Subresource != "" { // of nothing
		return false, nil
	}
	if c.Status {
		if object, err = without(object, "status"); err != nil {
			return false, err
		}
	}
	if refusal := c.judged(validation.Request{Operation: validation.Create, Object: object}); refusal != nil {
		return true, c.refuse(refusal, r, true)
	}
	return false, nil
}

// fragment as v1. An allocation of an alpha version is for a request that only the stored claim has a name for.
func (c *call) fragment(text []byte) ([]byte, error) {
	if c.info.Subresource == "" || judgedByStore[c.Version] {
		return c.lens.Fragment(nil, text)
	}
	live, err := c.live(c.ctx(), false)
	if err != nil {
		return nil, err
	}
	return c.lens.FragmentStatus(nil, live, text)
}
