package transcode

import (
	"encoding/json"
	"fmt"
	"net/http"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// apply sends what the caller applies in the cluster's version, and nothing that it does not say,
// so that who owns which field is the cluster's knowledge and conflicts are its own.
func (c *call) apply(patch []byte) (*http.Response, error) {
	fragment := map[string]any{}
	var malformed, strict error
	err := c.parseYAML(patch, func() error {
		malformed = yaml.Unmarshal(patch, &fragment)
		if malformed == nil && c.fieldValidation() != metav1.FieldValidationIgnore {
			strict = yaml.UnmarshalStrict(patch, &map[string]any{})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if malformed != nil { // the cluster says why
		return c.forward(c.request(http.MethodPatch, patch, string(types.ApplyYAMLPatchType)))
	}
	version, _ := fragment["apiVersion"].(string)
	kind, _ := fragment["kind"].(string)
	if got := schema.FromAPIVersionAndKind(version, kind); got != c.gvk() {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("invalid object type: %v", got))
	}
	if strict != nil {
		if c.fieldValidation() == metav1.FieldValidationStrict {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error strict decoding YAML: %v", strict))
		}
		c.warnOf([]error{strict})
	}
	if err := c.unset(fragment); err != nil {
		return nil, err
	}
	text, err := json.Marshal(fragment)
	if err != nil { // YAML has numbers that JSON has not
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error encoding patch: %v", err))
	}
	converted, err := c.toServed(text)
	if err != nil {
		return nil, err
	}
	return c.forward(c.request(http.MethodPatch, printable(converted), string(types.ApplyYAMLPatchType)))
}

// unset refuses a zero that says where a slice is not, between v1beta1 and the others, which say
// that by saying nothing: an apply takes it for no opinion. It is of no account where the field is
// not set.
func (c *call) unset(fragment map[string]any) error {
	spec, _ := fragment["spec"].(map[string]any)
	zeros := map[string]any{"nodeName": "", "allNodes": false}
	if c.kind.Kind != "ResourceSlice" || !isFlat(c.t.Version) && !isFlat(c.Version) ||
		spec["nodeName"] != zeros["nodeName"] && spec["allNodes"] != zeros["allNodes"] {
		return nil
	}
	read := c.request(http.MethodGet, nil, "")
	read.URL.RawQuery = ""
	resp, err := c.Next.RoundTrip(read)
	if err != nil {
		return err
	}
	live, err := c.readAll(resp)
	if err != nil || resp.StatusCode != http.StatusOK { // the apply says so itself
		return err
	}
	var slice struct{ Spec map[string]any }
	if err := json.Unmarshal(live, &slice); err != nil {
		return err
	}
	for name, zero := range zeros {
		if now := slice.Spec[name]; spec[name] == zero && now != nil && now != zero {
			return apierrors.NewInvalid(c.gvk().GroupKind(), c.t.name,
				field.ErrorList{field.Forbidden(field.NewPath("spec", name),
					"the cluster is asked in "+c.Version+
						", in which an apply cannot unset it so: leave it out, as the manager that set it, or update "+
						"the slice")})
		}
	}
	return nil
}

// printable JSON is YAML as well, which forbids some characters that JSON does not escape, and
// takes one for the end of a line.
func printable(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return out
}
