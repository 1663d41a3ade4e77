package chain

import (
	"reflect"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
)

// Options of a walk.
type Options struct {
	// Files get no field that only our own definitions declare, and what would not come back of one
	// is refused: nobody has judged them.
	Files bool
	// Bare claims have nothing beside them, and get nothing.
	Bare bool
	// Size of the object in bytes.
	Size int
	// Refused claims are walked to the end all the same, to see what travels beside them.
	Refused bool
}

// Walked is a claim as it stands in an answer.
type Walked struct {
	Claim
	// Texts are there for parts that are written as they are, whatever the claim says.
	Texts leftover.Stored
	// RestoredSpec is set when the spec is the one that an annotation holds, and not one that the older version has.
	// RestoredStatus is set when the status is one that was preserved, with the edits of the older version.
	RestoredSpec, RestoredStatus bool
	// Lost fields that have no home in a version.
	Lost []string
	// Incomplete is what the copy lacks of what is stored.
	Incomplete string
}

// Walk converts a claim from the version of one index to that of another one. Going down it shows
// what the version can say, and what is stored travels beside it, part by part, where the way back
// would not give it. Going up what travels comes home: verbatim where the claim shows it as it was
// shown; else a spec is what is there now, and a status a merge of that, of what is stored, and of
// what was shown. The texts are those of a claim of the stored version.
func (links Chain) Walk(
	c Claim, from, to int, texts leftover.Stored, travelling *leftover.Leftovers, o Options,
) (w Walked, err error) {
	storage := links.Stored()
	if o.Bare {
		w.Claim, w.Lost, err = links.bare(c, from, to, o.Files)
		return w, err
	}
	c, stored, refused := links.take(c, from, travelling)
	isHome := false
	switch {
	case refused != nil && to < from:
		return links.readIncomplete(c, from, to, travelling, o)
	case refused != nil && !o.Refused:
		return w, refused
	case stored.Spec != nil || stored.Status != nil:
		h := homecoming{links: links, from: from, travelling: travelling, files: o.Files}
		if c, texts, w.Lost, err = h.home(c, stored); err != nil {
			return w, err
		}
		from, isHome = storage, true
		w.RestoredSpec, w.RestoredStatus = h.restoredSpec, h.restoredStatus
	}
	if refused == nil {
		travelling.Forget()
	}
	shown, lost, err := links.bare(c, from, to, o.Files)
	if w.Lost = append(w.Lost, lost...); err != nil {
		return w, err
	}
	if from < storage && storage <= to && shown.Complete {
		shown = withoutEmptyDevices(shown)
	}
	w.Claim = shown
	travelling.Sweep()
	if links.whole(to) || refused != nil {
		if to == storage && from == storage {
			w.Texts = texts
		}
		return w, refused
	}
	if !isHome && o.Size > leftover.MostStored {
		travelling.Lack(o.Size, c.Status != nil, links[to].allocated(shown))
		w.Incomplete = travelling.PutIncomplete()
		return w, nil
	}
	travels, err := links.travels(c, shown, from, to, texts, o.Files)
	if err != nil {
		return w, err
	}
	w.Claim = links.putBeside(shown, to, travels, travelling, c.Complete && !o.Files)
	w.Incomplete = travelling.PutIncomplete()
	return w, nil
}

// take takes what travels beside a copy out of it. The error is of a copy that lacks a part which the stored object
// has.
func (links Chain) take(c Claim, from int, travelling *leftover.Leftovers) (Claim, leftover.Stored, error) {
	travelling.TakeIncomplete()
	if links.whole(from) {
		travelling.Forget()
		return c, leftover.Stored{}, nil
	}
	stored := travelling.Take(links[from].mark(c))
	if stored.NoStatus && reflect.ValueOf(c.Status).Elem().IsZero() {
		c.Status = nil
	}
	return c, stored, travelling.RefuseIncomplete(c.Spec != nil, c.Status != nil, links[from].allocated(c))
}

// readIncomplete converts a copy that lacks a part to an older version. Nobody writes the result: it is read, and lacks
// what the copy lacks.
func (links Chain) readIncomplete(
	c Claim, from, to int, travelling *leftover.Leftovers, o Options,
) (w Walked, err error) {
	w.Claim, w.Lost, err = links.bare(c, from, to, o.Files)
	if err == nil {
		w.Incomplete = travelling.PutIncomplete()
	}
	return w, err
}

// putBeside puts what travels beside a copy: into annotations, and into a field of the status where the copy is a
// whole object that an API server stores. Such a copy without a status gets one when its spec does not fit into
// annotations.
func (links Chain) putBeside(
	shown Claim, to int, travels leftover.Stored, travelling *leftover.Leftovers, mayUseField bool,
) Claim {
	var field *string
	if mayUseField {
		if shown.Status == nil && !travelling.SpecFits(travels.Spec) {
			shown.Status, travels.NoStatus = links[to].OldParts.Status(nil), true
		}
		field = links[to].mark(shown)
	}
	travelling.Put(travels, field, links[to].allocated(shown))
	return shown
}

// withoutEmptyDevices is a claim of the stored version whose devices are absent where they have
// nothing but empty lists. An older version that is read leaves such lists out, so that the object
// with nothing in them would not come back from it.
func withoutEmptyDevices(c Claim) Claim {
	if spec, _ := c.Spec.(*v1.ResourceClaimSpec); spec != nil {
		devices := &spec.Devices
		if len(devices.Requests)+len(devices.Constraints)+len(devices.Config) == 0 {
			c.Spec = &v1.ResourceClaimSpec{}
		}
	}
	status, _ := c.Status.(*v1.ResourceClaimStatus)
	if status == nil || status.Allocation == nil {
		return c
	}
	devices := &status.Allocation.Devices
	if len(devices.Results)+len(devices.Config) == 0 {
		allocation, withoutDevices := *status.Allocation, *status
		allocation.Devices = v1.DeviceAllocationResult{}
		withoutDevices.Allocation = &allocation
		c.Status = &withoutDevices
	}
	return c
}
