package chain

import "github.com/claimbridge/claimbridge/internal/kjson"

// Claim as steps convert it: the spec and the status of one version, whether of a ResourceClaim or,
// without a status, of a ResourceClaimTemplate. They are pointers to the types of the version, and
// nil when the object has none. Metadata is not the steps' business.
type Claim struct {
	Form
	Spec, Status any
}

// Form is what an object is, whatever it says.
type Form struct {
	// Complete is false for a fragment: an object without a name, as server-side apply converts them. A complete
	// object comes out with the defaults of its new version, a fragment with nothing added.
	Complete bool
	// AsWritten is set for text that somebody wrote: it comes out without defaults that it did not
	// have, complete or not.
	AsWritten bool
	// Request that the results of an allocation are for, going up, where a version names none: that
	// of the stored claim, when it is known.
	Request string
}

// GetsDefaults tells whether a step adds those of the version that it converts to.
func (f Form) GetsDefaults() bool { return f.Complete && !f.AsWritten }

// For is the claim with the request that its results are for.
func (c Claim) For(request string) Claim {
	c.Request = request
	return c
}

// Parts of the claims of a version: how they are made in a room, if one is given, and how a status
// is copied; what is none of the version is copied to nothing.
type Parts struct {
	Spec, Status func(*kjson.Room) any
	CopyOfStatus func(any) any
}

// PartsOf a version are of these types.
func PartsOf[Spec, Status any]() Parts {
	return Parts{
		Spec:   func(room *kjson.Room) any { return kjson.In[Spec](room) },
		Status: func(room *kjson.Room) any { return kjson.In[Status](room) },
		CopyOfStatus: func(status any) any {
			given, _ := status.(*Status)
			if given == nil {
				return nil
			}
			copied := *given
			return &copied
		},
	}
}

// Halves make a direction of a step, which is given the parts that there are. Spec never depends on status.
func Halves[Spec, Status, ToSpec, ToStatus any](spec func(*Spec, Form) *ToSpec,
	status func(*Status, Form) *ToStatus,
) func(Claim) Claim {
	return func(from Claim) Claim {
		to := Claim{Form: from.Form}
		if s, _ := from.Spec.(*Spec); s != nil {
			to.Spec = spec(s, from.Form)
		}
		if s, _ := from.Status.(*Status); s != nil {
			to.Status = status(s, from.Form)
		}
		return to
	}
}

// List converts each element of a list; an absent list stays absent.
func List[From, To any](from []From, convert func(From) To) []To {
	if from == nil {
		return nil
	}
	to := make([]To, len(from))
	for i := range from {
		to[i] = convert(from[i])
	}
	return to
}
