package hub

import (
	"fmt"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/api/v1beta1"
	"github.com/claimbridge/claimbridge/api/v1beta2"
)

// Claim is the spec and the status of a ResourceClaim in one version: a *V1alpha1, *V1alpha2, *V1alpha3, *V1beta1,
// *V1beta2 or *V1. The spec of a ResourceClaimTemplate is a claim without a status.
type Claim interface {
	// ToV1 returns the claim in v1. The only error is a *objectjson.FieldError with the path of a resource handle that
	// v1alpha2 does not accept. Handles are checked only if Options.Manifest is set.
	ToV1(Options) (*V1, error)

	// SpecAndStatus returns pointers to the spec and the status. Each is nil if the claim has none.
	SpecAndStatus() (spec, status any)

	// AddSpec adds an empty spec to a claim that has none.
	AddSpec()
}

// LossyClaim is a claim in a version that cannot represent all of v1.
type LossyClaim interface {
	Claim

	// ToV1For is ToV1 for a claim whose allocation is for the named request, because v1alpha1 and v1alpha2 do not store
	// the request of an allocation. If request is "", the allocation is for the request that the resource class is
	// converted to. v1alpha3 ignores the name.
	ToV1For(request string, o Options) (*V1, error)

	// IsAllocated reports whether the status has an allocation.
	IsAllocated() bool

	// PreservedField returns a pointer to status.claimbridgeLeftover, or nil if the claim has no status.
	PreservedField() *string

	// AddStatus adds an empty status to a claim that has none.
	AddStatus()

	// RemoveEmptyStatus removes a status in which no field is set.
	RemoveEmptyStatus()

	// WithDefaults returns a deep copy with the defaults that an API server of the version sets.
	WithDefaults() LossyClaim
}

// V1 is a claim in v1, the version that is stored.
type V1 struct {
	Spec   *v1.ResourceClaimSpec
	Status *v1.ResourceClaimStatus
}

// V1beta2 is a claim in v1beta2, which has the types of v1.
type V1beta2 struct {
	Spec   *v1.ResourceClaimSpec
	Status *v1.ResourceClaimStatus
}

// V1beta1 is a claim in v1beta1. Its status has the type of v1.
type V1beta1 struct {
	Spec   *v1beta1.ResourceClaimSpec
	Status *v1.ResourceClaimStatus
}

// V1alpha3 is a claim in v1alpha3.
type V1alpha3 struct {
	Spec   *v1alpha3.ResourceClaimSpec
	Status *v1alpha3.ResourceClaimStatus
}

// V1alpha2 is a claim in v1alpha2.
type V1alpha2 struct {
	Spec   *v1alpha2.ResourceClaimSpec
	Status *v1alpha2.ResourceClaimStatus
}

// V1alpha1 is a claim in v1alpha1.
type V1alpha1 struct {
	Spec   *v1alpha1.ResourceClaimSpec
	Status *v1alpha1.ResourceClaimStatus
}

// Options are the options of a conversion.
type Options struct {
	// IsFragment is set for an object without a name: the fields that one client owns, which an API server converts for
	// server-side apply. No defaults are added to it, because server-side apply would make the client the owner of them.
	IsFragment bool
	// OmitDefaults and Manifest are those of the Options of package internal/conversion.
	OmitDefaults, Manifest bool
}

// WantsDefaults reports whether the defaults of the new version are added.
func (o Options) WantsDefaults() bool { return !o.IsFragment && !o.OmitDefaults }

// Convert returns a claim in another version. It goes through v1, except between the alpha versions: v1 cannot
// represent invalid handles, or the driver of a claim that is not allocated.
func Convert(claim Claim, version string, o Options) (Claim, error) {
	if lossy, isLossy := claim.(LossyClaim); isLossy && !api.IsLossless(version) {
		return convertAlpha(lossy, version, o)
	}
	inV1, err := claim.ToV1(o)
	if err != nil {
		return nil, err
	}
	return FromV1(inV1, version, o)
}

// convertAlpha converts a claim of an alpha version to another alpha version, through v1alpha2.
func convertAlpha(claim LossyClaim, version string, o Options) (Claim, error) {
	var classic *V1alpha2
	switch from := claim.(type) {
	case *V1alpha1:
		if err := from.checkHandle(o); err != nil {
			return nil, err
		}
		classic = from.toV1alpha2(o)
	case *V1alpha2:
		classic = from
	case *V1alpha3:
		classic = from.toV1alpha2(o)
	}
	switch version {
	case v1alpha1.GroupVersion.Version:
		return classic.toV1alpha1(o)
	case v1alpha2.GroupVersion.Version:
		return classic, nil
	case v1alpha3.GroupVersion.Version:
		if err := classic.checkHandles(o); err != nil {
			return nil, err
		}
		return classic.toV1alpha3("", o), nil
	}
	return nil, errUnknownVersion(version)
}

// FromV1 returns a claim of v1 in a version.
func FromV1(inV1 *V1, version string, o Options) (Claim, error) {
	switch version {
	case v1alpha1.GroupVersion.Version:
		return inV1.toV1alpha2(o).toV1alpha1(o)
	case v1alpha2.GroupVersion.Version:
		return inV1.toV1alpha2(o), nil
	case v1alpha3.GroupVersion.Version:
		return inV1.toV1alpha3(o), nil
	case v1beta1.GroupVersion.Version:
		return inV1.toV1beta1(o), nil
	case v1beta2.GroupVersion.Version:
		return &V1beta2{Spec: WithSpecDefaults(inV1.Spec, o), Status: withStatusDefaults(inV1.Status, o)}, nil
	case v1.GroupVersion.Version:
		return inV1, nil
	}
	return nil, errUnknownVersion(version)
}

// errUnknownVersion returns the error for a version that this package does not convert. A caller gets it only if it did
// not check the version.
func errUnknownVersion(version string) error {
	return fmt.Errorf("no conversion for version %q", version)
}

// LostFields returns the paths of fields that no version newer than v1alpha2 represents or preserves.
func LostFields(claim Claim, o Options) []string {
	switch c := claim.(type) {
	case *V1alpha1:
		return c.toV1alpha2(o).lostFields(o)
	case *V1alpha2:
		return c.lostFields(o)
	}
	return nil
}
