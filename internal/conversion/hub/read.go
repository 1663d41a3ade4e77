package hub

import (
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// Read decodes the spec and the status of a claim. Text that is empty or null stands for a part that the claim does not
// have. Read returns the paths of unknown and duplicate fields, which start with spec or status. The error for a value
// of the wrong type is a *objectjson.FieldError.
func Read(version string, spec, status []byte) (claim Claim, unknown []string, err error) {
	switch version {
	case v1alpha1.GroupVersion.Version:
		c := &V1alpha1{}
		unknown, err = readParts(spec, &c.Spec, status, &c.Status)
		return c, unknown, err
	case v1alpha2.GroupVersion.Version:
		c := &V1alpha2{}
		unknown, err = readParts(spec, &c.Spec, status, &c.Status)
		return c, unknown, err
	case v1alpha3.GroupVersion.Version:
		c := &V1alpha3{}
		unknown, err = readParts(spec, &c.Spec, status, &c.Status)
		return c, unknown, err
	case v1beta1.GroupVersion.Version:
		c := &V1beta1{}
		unknown, err = readParts(spec, &c.Spec, status, &c.Status)
		return c, unknown, err
	case v1beta2.GroupVersion.Version:
		c := &V1beta2{}
		unknown, err = readParts(spec, &c.Spec, status, &c.Status)
		return c, unknown, err
	case v1.GroupVersion.Version:
		c := &V1{}
		unknown, err = readParts(spec, &c.Spec, status, &c.Status)
		return c, unknown, err
	}
	return nil, nil, errUnknownVersion(version)
}

func readParts[Spec, Status any](specText []byte, spec **Spec, statusText []byte, status **Status) ([]string, error) {
	unknownInSpec, err := readPart("spec", specText, spec)
	if err != nil {
		return nil, err
	}
	unknownInStatus, err := readPart("status", statusText, status)
	if err != nil {
		return nil, err
	}
	return append(unknownInSpec, unknownInStatus...), nil
}

// readPart sets a pointer to the decoded text, unless the text is empty or null.
func readPart[T any](name string, text []byte, part **T) (unknown []string, err error) {
	if objectjson.IsAbsentOrNull(text) {
		return nil, nil
	}
	*part = new(T)
	unknown, err = objectjson.Decode(text, *part)
	for i := range unknown {
		unknown[i] = objectjson.JoinPath(name, unknown[i])
	}
	return unknown, objectjson.AtPath(name, err)
}

// WithStatus returns a claim with the spec of a claim and a shallow copy of a status. The status is a pointer, as
// [Claim.SpecAndStatus] returns it, or nil. It panics for a status of another version, which would be lost.
func WithStatus(claim Claim, status any) Claim {
	switch c := claim.(type) {
	case *V1alpha1:
		return &V1alpha1{Spec: c.Spec, Status: copyOf[v1alpha1.ResourceClaimStatus](status)}
	case *V1alpha2:
		return &V1alpha2{Spec: c.Spec, Status: copyOf[v1alpha2.ResourceClaimStatus](status)}
	case *V1alpha3:
		return &V1alpha3{Spec: c.Spec, Status: copyOf[v1alpha3.ResourceClaimStatus](status)}
	case *V1beta1:
		return &V1beta1{Spec: c.Spec, Status: copyOf[v1.ResourceClaimStatus](status)}
	case *V1beta2:
		return &V1beta2{Spec: c.Spec, Status: copyOf[v1.ResourceClaimStatus](status)}
	case *V1:
		return &V1{Spec: c.Spec, Status: copyOf[v1.ResourceClaimStatus](status)}
	}
	return claim
}

func copyOf[T any](pointer any) *T {
	if pointer == nil {
		return nil
	}
	value := pointer.(*T)
	if value == nil {
		return nil
	}
	copied := *value
	return &copied
}

// asParts returns two pointers as interfaces that are nil if the pointers are.
func asParts[Spec, Status any](specPointer *Spec, statusPointer *Status) (spec, status any) {
	if specPointer != nil {
		spec = specPointer
	}
	if statusPointer != nil {
		status = statusPointer
	}
	return spec, status
}

// SpecAndStatus implements [Claim].
func (c *V1alpha1) SpecAndStatus() (spec, status any) { return asParts(c.Spec, c.Status) }

// SpecAndStatus implements [Claim].
func (c *V1alpha2) SpecAndStatus() (spec, status any) { return asParts(c.Spec, c.Status) }

// SpecAndStatus implements [Claim].
func (c *V1alpha3) SpecAndStatus() (spec, status any) { return asParts(c.Spec, c.Status) }

// SpecAndStatus implements [Claim].
func (c *V1beta1) SpecAndStatus() (spec, status any) { return asParts(c.Spec, c.Status) }

// SpecAndStatus implements [Claim].
func (c *V1beta2) SpecAndStatus() (spec, status any) { return asParts(c.Spec, c.Status) }

// SpecAndStatus implements [Claim].
func (c *V1) SpecAndStatus() (spec, status any) { return asParts(c.Spec, c.Status) }

// AddSpec implements [Claim].
func (c *V1alpha1) AddSpec() { c.Spec = &v1alpha1.ResourceClaimSpec{} }

// AddSpec implements [Claim].
func (c *V1alpha2) AddSpec() { c.Spec = &v1alpha2.ResourceClaimSpec{} }

// AddSpec implements [Claim].
func (c *V1alpha3) AddSpec() { c.Spec = &v1alpha3.ResourceClaimSpec{} }

// AddSpec implements [Claim].
func (c *V1beta1) AddSpec() { c.Spec = &v1beta1.ResourceClaimSpec{} }

// AddSpec implements [Claim].
func (c *V1beta2) AddSpec() { c.Spec = &v1.ResourceClaimSpec{} }

// AddSpec implements [Claim].
func (c *V1) AddSpec() { c.Spec = &v1.ResourceClaimSpec{} }
