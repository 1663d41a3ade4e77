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
)

// apply sends what the caller applies as v1, and nothing that it does not say, so that who owns which field is the store's knowledge and
// conflicts are the store's own. The rules of alpha versions are not asked: they judge objects, and only the store knows which one this makes.
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
	return c.forward(c.request(http.MethodPatch, up, string(types.ApplyYAMLPatchType)))
}

// fragment as v1. An allocation of an alpha version is for a request that only the stored claim has a name for.
func (c *call) fragment(text []byte) ([]byte, error) {
	if c.info.Subresource == "" || judgedByStore[c.Version] {
		return c.lens.Fragment(nil, text)
	}
	live, err := c.live(c.ctx(), c.request(http.MethodGet, nil, ""))
	if err != nil {
		return nil, err
	}
	return c.lens.FragmentStatus(nil, live, text)
}
