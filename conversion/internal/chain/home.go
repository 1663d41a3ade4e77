package chain

import (
	"bytes"
	"reflect"
	"slices"
	"sync"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/conversion/internal/merge"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// homecoming of a copy in an old version to what is stored, of which one part at least travelled beside it.
type homecoming struct {
	links      Chain
	from       int
	travelling *leftover.Leftovers
	files      bool
}

// home is the claim in the stored version. A part has a text where it is what is stored, verbatim.
func (h *homecoming) home(c Claim, texts leftover.Stored) (is Claim, _ leftover.Stored, lost []string, err error) {
	storage := h.links.Stored()
	stored := h.read(c, &texts)
	was, _, err := h.links.bare(stored, storage, h.from, h.files)
	if err != nil {
		return nil, texts, lost, err
	}
	copied, shown, of := partsOf(c), partsOf(was), partsOf(stored)
	completed := sync.OnceValues(func() (a, b parts) { return h.links[h.from].completed(c), h.links[h.from].completed(was) })
	asShown := func(part func(parts) any) bool {
		if h.same(part(copied), part(shown)) {
			return true
		}
		a, b := completed() // a file may lack what an API server has set since
		return h.same(part(a), part(b))
	}
	if texts.Spec != nil && (copied.spec == nil || !asShown(func(p parts) any { return p.spec })) {
		h.travelling.Edited()
		texts.Spec = nil
	}
	request := ""
	if texts.Spec != nil {
		request = firstRequest(of.spec)
	}
	if is, lost, err = h.links.bare(c.For(request), h.from, storage, h.files); err != nil {
		return nil, texts, lost, err
	}
	if texts.Spec != nil {
		is = is.WithSpec(of.spec)
	}
	if texts.Status == nil {
		return is, texts, lost, nil
	}
	if copied.status != nil && asShown(func(p parts) any { return p.status }) {
		return is.WithStatus(of.status), texts, lost, nil
	}
	wasUp, _, err := h.links.bare(was.For(request), h.from, storage, h.files)
	if err != nil {
		return nil, texts, lost, err
	}
	before := textOf(partsOf(wasUp).status)
	after := h.spelledAs(before, textOf(partsOf(is).status))
	if merge.Same(statusShape, before, after) {
		return is.WithStatus(of.status), texts, lost, nil
	}
	merged := h.links.New(storage, formOf(c))
	if _, err := merged.Read(nil, merge.Merge(nil, statusShape, texts.Status, before, after), nil); err != nil {
		return nil, texts, lost, err
	}
	texts.Status = nil
	return is.WithStatus(reported(partsOf(merged).status, of.status)), texts, lost, nil
}

// read the stored parts. A text that cannot be read counts as none.
func (h *homecoming) read(c Claim, texts *leftover.Stored) Claim {
	storage, form := h.links.Stored(), formOf(c)
	stored := h.links.New(storage, form)
	if unknown, err := stored.Read(texts.Spec, nil, nil); err != nil || len(unknown) > 0 {
		h.travelling.Malformed(leftover.Spec)
		texts.Spec, stored = nil, h.links.New(storage, form)
	}
	withStatus := h.links.New(storage, form)
	unknown, err := withStatus.Read(nil, texts.Status, nil)
	if err != nil || len(unknown) > 0 && !texts.InField {
		h.travelling.Malformed(leftover.Status)
		texts.Status = nil
		return stored
	}
	status := partsOf(withStatus).status
	if len(unknown) > 0 {
		texts.Status = textOf(status)
	}
	return stored.WithStatus(status)
}

func formOf(c Claim) Form { return Form{Complete: c.IsComplete(), AsWritten: c.IsAsWritten()} }

// statusShape of a status: an allocation changes as a whole.
var statusShape = merge.ShapeOf(reflect.TypeFor[v1.ResourceClaimStatus]()).Reaching(map[string]merge.Reach{"allocation": merge.Whole})

// same reports whether two parts of a version say the same, however they are written. An API server of custom resources makes float64 of
// numbers that are no int64, and files keep all digits.
func (h *homecoming) same(a, b any) bool {
	if a == nil || b == nil {
		return false
	}
	if h.files {
		return merge.SameText(textOf(a), textOf(b))
	}
	return sameText(a, b) || leftover.Digest(a) == leftover.Digest(b)
}

// spelledAs gives the members of a status that say what they said before the spelling that they had: such an API server has written their
// numbers anew, which is no edit.
func (h *homecoming) spelledAs(before, after []byte) []byte {
	is, _, err := kjson.Members(after)
	if err != nil || h.files {
		return after
	}
	was, _, _ := kjson.Members(before)
	out := append(make([]byte, 0, len(after)), '{')
	for _, m := range is {
		value := m.Value
		if had := kjson.Get(was, m.Name); bytes.Equal(kjson.CanonicalForm(had), kjson.CanonicalForm(value)) {
			value = had
		}
		out = append(kjson.AppendName(out, m.Name), value...)
	}
	return append(out, '}')
}

// reported is a status without what is reported of devices that were allocated and are no longer: an API server takes that away of its own
// objects.
func reported(status, before any) any {
	now, _ := status.(*v1.ResourceClaimStatus)
	was, _ := before.(*v1.ResourceClaimStatus)
	if now == nil || was == nil || was.Allocation == nil || len(now.Devices) == 0 {
		return status
	}
	has := func(a *v1.AllocationResult, d v1.AllocatedDeviceStatus) bool {
		return a != nil && slices.ContainsFunc(a.Devices.Results, func(r v1.DeviceRequestAllocationResult) bool {
			share := r.ShareID == nil && d.ShareID == nil || r.ShareID != nil && d.ShareID != nil && string(*r.ShareID) == *d.ShareID
			return r.Driver == d.Driver && r.Pool == d.Pool && r.Device == d.Device && share
		})
	}
	now.Devices = slices.DeleteFunc(now.Devices, func(d v1.AllocatedDeviceStatus) bool { return has(was.Allocation, d) && !has(now.Allocation, d) })
	return now
}
