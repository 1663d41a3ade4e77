package conversion

import (
	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
	"github.com/claimbridge/claimbridge/api/v1alpha3"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// claim is what steps convert: the spec and status of one version, whether of a ResourceClaim or, without a
// status, of a ResourceClaimTemplate. Metadata is not the steps' business.
type claim[Spec, Status any] struct {
	// Spec and Status are nil when the object has none.
	Spec   *Spec
	Status *Status
	// Complete is false for a fragment: an object without a name, as server-side apply converts them. A complete
	// object comes out with the defaults of its new version, a fragment with nothing added.
	Complete bool
	// room is where a step puts what it makes; it says nothing of the claim.
	room *room
}

type (
	claimV1alpha1 = claim[v1alpha1.ResourceClaimSpec, v1alpha1.ResourceClaimStatus]
	claimV1alpha2 = claim[v1alpha2.ResourceClaimSpec, v1alpha2.ResourceClaimStatus]
	claimV1alpha3 = claim[v1alpha3.ResourceClaimSpec, v1alpha3.ResourceClaimStatus]
)

// version is what the chain knows of one version: how to read and write its claims, and where in its status our
// field is. Claims are handed around as pointers to claim[...] in an any.
type version struct {
	name string
	// read decodes the spec and the status; nil means absent. Unknown fields are reported with their paths.
	read func(w *workspace, spec, status []byte, complete bool) (c any, unknown []string, err error)
	// parts are what is written: pointers to the spec and the status, nil when absent.
	parts func(c any) (spec, status any)
	// withStatus is a claim with another status, which may be nil.
	withStatus func(c, status any) any
	// field is status.claimbridgeLeftover: nil when there is no allocation to complete, or no such field.
	field func(c any) *string
	// hasSpec and complete tell what kind of object it is.
	hasSpec, complete func(c any) bool
}

// versions of the chain, oldest first.
var versions = []version{
	versionOf("v1alpha1", func(r *room) (*v1alpha1.ResourceClaimSpec, *v1alpha1.ResourceClaimStatus) {
		return r.v1alpha1ResourceClaimSpec.one(), r.v1alpha1ResourceClaimStatus.one()
	}, func(s *v1alpha1.ResourceClaimStatus) *string {
		if s.Allocation == nil {
			s.ClaimbridgeLeftover = ""
			return nil
		}
		return &s.ClaimbridgeLeftover
	}),
	versionOf("v1alpha2", func(r *room) (*v1alpha2.ResourceClaimSpec, *v1alpha2.ResourceClaimStatus) {
		return r.v1alpha2ResourceClaimSpec.one(), r.v1alpha2ResourceClaimStatus.one()
	}, func(s *v1alpha2.ResourceClaimStatus) *string {
		if s.Allocation == nil {
			s.ClaimbridgeLeftover = ""
			return nil
		}
		return &s.ClaimbridgeLeftover
	}),
	versionOf("v1alpha3", func(r *room) (*v1alpha3.ResourceClaimSpec, *v1alpha3.ResourceClaimStatus) {
		return r.v1alpha3ResourceClaimSpec.one(), r.v1alpha3ResourceClaimStatus.one()
	}, func(*v1alpha3.ResourceClaimStatus) *string { return nil }),
}

func versionOf[Spec, Status any](name string, empty func(*room) (*Spec, *Status), field func(*Status) *string) version {
	return version{
		name: name,
		read: func(w *workspace, spec, status []byte, complete bool) (any, []string, error) {
			c := &claim[Spec, Status]{Complete: complete, room: &w.room}
			c.Spec, c.Status = empty(&w.room)
			unknown, err := readValueOf(w, "spec", spec, &c.Spec)
			if err != nil {
				return nil, nil, err
			}
			more, err := readValueOf(w, "status", status, &c.Status)
			return c, append(unknown, more...), err
		},
		parts: func(c any) (spec, status any) {
			typed := c.(*claim[Spec, Status])
			if typed.Spec != nil {
				spec = typed.Spec
			}
			if typed.Status != nil {
				status = typed.Status
			}
			return spec, status
		},
		withStatus: func(c, status any) any {
			other := *c.(*claim[Spec, Status])
			other.Status = nil
			if given, _ := status.(*Status); given != nil {
				copied := *given // the field is written in place
				other.Status = &copied
			}
			return &other
		},
		field: func(c any) *string {
			if s := c.(*claim[Spec, Status]).Status; s != nil {
				return field(s)
			}
			return nil
		},
		hasSpec:  func(c any) bool { return c.(*claim[Spec, Status]).Spec != nil },
		complete: func(c any) bool { return c.(*claim[Spec, Status]).Complete },
	}
}

// readValueOf reads the spec or the status into a value that is zero; absent, the pointer is nil.
func readValueOf[T any](w *workspace, name string, data []byte, into **T) (unknown []string, err error) {
	if len(data) == 0 || string(data) == "null" {
		*into = nil
		return nil, nil
	}
	if w.read(data, *into) {
		return nil, nil
	}
	unknown, err = Decode(data, into)
	for i := range unknown {
		unknown[i] = kjson.JoinPath(name, unknown[i])
	}
	return unknown, kjson.Within(name, err)
}
