package chain

import "github.com/claimbridge/claimbridge/internal/kjson"

// Of is a claim as steps convert it: the spec and status of one version, whether of a ResourceClaim or, without a
// status, of a ResourceClaimTemplate. Metadata is not the steps' business.
type Of[Spec, Status any] struct {
	// Spec and Status are nil when the object has none.
	Spec   *Spec
	Status *Status
	// Complete is false for a fragment: an object without a name, as server-side apply converts them. A complete
	// object comes out with the defaults of its new version, a fragment with nothing added.
	Complete bool
	// AsWritten is set for text that somebody wrote: it comes out without defaults that it did not have, complete or not.
	AsWritten bool
	// Request that the results of an allocation are for, where a version names none: that of the stored claim, when it is known.
	Request string
}

// Form is what an object is, whatever it says.
type Form struct {
	Complete, AsWritten bool
	Request             string
}

// GetsDefaults tells whether a step adds those of the version that it converts to.
func (c *Of[Spec, Status]) GetsDefaults() bool { return c.Complete && !c.AsWritten }

// Claim is a claim of any version: a pointer to [Of] its types.
type Claim interface {
	// Read decodes the spec and the status into a room, if one is given; what is empty or null is absent. Unknown fields are returned with
	// their paths.
	Read(spec, status []byte, room *kjson.Room) (unknown []string, err error)
	// Parts are pointers to the spec and the status, nil when absent.
	Parts() (spec, status any)
	// WithStatus is the claim with another status, which may be nil or absent.
	WithStatus(status any) Claim
	// WithSpec is the claim with another spec.
	WithSpec(spec any) Claim
	// For is the claim with the request that its results are for.
	For(request string) Claim
	// IsComplete tells a whole object from a fragment.
	IsComplete() bool
	// IsAsWritten tells text that somebody wrote.
	IsAsWritten() bool
}

// Read implements [Claim].
func (c *Of[Spec, Status]) Read(spec, status []byte, room *kjson.Room) (unknown []string, err error) {
	if c.Spec, unknown, err = read[Spec]("spec", spec, room); err != nil {
		return nil, err
	}
	var more []string
	c.Status, more, err = read[Status]("status", status, room)
	return append(unknown, more...), err
}

// read a part, unless there is nothing to read.
func read[T any](name string, data []byte, room *kjson.Room) (part *T, unknown []string, err error) {
	if len(data) == 0 || string(data) == "null" {
		return nil, nil, nil
	}
	part = kjson.In[T](room)
	unknown, err = kjson.Read(data, part, room)
	for i := range unknown {
		unknown[i] = kjson.JoinPath(name, unknown[i])
	}
	return part, unknown, kjson.Within(name, err)
}

// Parts implements [Claim].
func (c *Of[Spec, Status]) Parts() (spec, status any) {
	if c.Spec != nil {
		spec = c.Spec
	}
	if c.Status != nil {
		status = c.Status
	}
	return spec, status
}

// WithStatus implements [Claim].
func (c *Of[Spec, Status]) WithStatus(status any) Claim {
	other := *c
	other.Status = nil
	if given, _ := status.(*Status); given != nil {
		copied := *given // the field is written in place
		other.Status = &copied
	}
	return &other
}

// WithSpec implements [Claim].
func (c *Of[Spec, Status]) WithSpec(spec any) Claim {
	other := *c
	other.Spec, _ = spec.(*Spec)
	return &other
}

// For implements [Claim].
func (c *Of[Spec, Status]) For(request string) Claim {
	other := *c
	other.Request = request
	return &other
}

// IsComplete implements [Claim].
func (c *Of[Spec, Status]) IsComplete() bool { return c.Complete }

// IsAsWritten implements [Claim].
func (c *Of[Spec, Status]) IsAsWritten() bool { return c.AsWritten }

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
