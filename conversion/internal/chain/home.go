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
	// restoredSpec is set when the annotation holds the spec of the claim, restoredStatus when the
	// field or an annotation holds its status, to which an edit may have been merged.
	restoredSpec, restoredStatus bool
}

// home is the claim in the stored version. A part has a text where it is what is stored, verbatim.
func (h *homecoming) home(c Claim, texts leftover.Stored) (is Claim, _ leftover.Stored, lost []string, err error) {
	storage := h.links.Stored()
	stored := h.read(c, &texts)
	was, _, err := h.links.bare(stored, storage, h.from, h.files)
	if err != nil {
		return is, texts, lost, err
	}
	completed := sync.OnceValues(func() (a, b Claim) {
		return h.links[h.from].completed(c), h.links[h.from].completed(was)
	})
	asShown := func(part func(Claim) any) bool {
		if h.same(part(c), part(was)) {
			return true
		}
		a, b := completed() // a file may lack what an API server has set since
		return h.same(part(a), part(b))
	}
	if texts.Spec != nil && (c.Spec == nil || !asShown(func(c Claim) any { return c.Spec })) {
		h.travelling.Edited()
		texts.Spec = nil
	}
	request := ""
	if texts.Spec != nil {
		request = firstRequest(stored.Spec)
	}
	if is, lost, err = h.links.bare(c.For(request), h.from, storage, h.files); err != nil {
		return is, texts, lost, err
	}
	if texts.Spec != nil {
		is.Spec, texts.Spec = restoredSpec(stored.Spec, texts.Spec, c.Form)
		h.restoredSpec = true
	}
	if texts.Status == nil {
		return is, texts, lost, nil
	}
	h.restoredStatus = true
	written := is.Status
	if is.Status = stored.Status; c.Status != nil && asShown(func(c Claim) any { return c.Status }) {
		return is, texts, lost, nil
	}
	wasUp, _, err := h.links.bare(was.For(request), h.from, storage, h.files)
	if err != nil {
		return is, texts, lost, err
	}
	before := textOf(wasUp.Status)
	after := h.spelledAs(before, textOf(written))
	if merge.Same(statusShape, before, after) {
		return is, texts, lost, nil
	}
	merged, _, err := h.links.Read(storage, c.Form, nil, merge.Merge(nil, statusShape, texts.Status, before, after),
		nil)
	if err != nil {
		return is, texts, lost, err
	}
	texts.Status, is.Status = nil, reported(merged.Status, stored.Status)
	return is, texts, lost, nil
}

// restoredSpec returns the spec that an annotation holds, with the defaults of its version unless
// the claim gets none, and its text as long as that says the same. An API server completes a spec
// before it stores it; an annotation holds what a client wrote, or what a file or an API server
// without the webhook for defaults had.
func restoredSpec(stored any, text []byte, f Form) (spec any, same []byte) {
	held, _ := stored.(*v1.ResourceClaimSpec)
	if held == nil || !f.GetsDefaults() || !slices.ContainsFunc(held.Devices.Requests, v1.LacksDefaults) {
		return stored, text
	}
	completed := held.DeepCopy()
	v1.SetSpecDefaults(completed)
	return completed, nil
}

// read the stored parts. A text that cannot be read counts as none.
func (h *homecoming) read(c Claim, texts *leftover.Stored) Claim {
	form := c.For("").Form
	stored, unknown, err := h.links.Read(h.links.Stored(), form, texts.Spec, nil, nil)
	if err != nil || len(unknown) > 0 {
		h.travelling.Malformed(leftover.Spec)
		texts.Spec, stored.Spec = nil, nil
	}
	withStatus, unknown, err := h.links.Read(h.links.Stored(), form, nil, texts.Status, nil)
	if err != nil || len(unknown) > 0 && !texts.InField {
		h.travelling.Malformed(leftover.Status)
		texts.Status = nil
		return stored
	}
	if stored.Status = withStatus.Status; len(unknown) > 0 {
		texts.Status = textOf(stored.Status)
	}
	return stored
}

// statusShape of a status: an allocation changes as a whole.
var statusShape = merge.ShapeOf(reflect.TypeFor[v1.ResourceClaimStatus]()).Whole("allocation")

// same reports whether two parts of a version say the same, however they are written. An API server
// of custom resources makes float64 of numbers that are no int64, and files keep all digits.
func (h *homecoming) same(a, b any) bool {
	if a == nil || b == nil {
		return false
	}
	if h.files {
		return merge.SameText(textOf(a), textOf(b))
	}
	return sameText(a, b, kjson.Append) || sameText(a, b, kjson.AppendCanonical)
}

func sameText(a, b any, write func([]byte, any) []byte) bool {
	x, y := kjson.NewBuffer(), kjson.NewBuffer()
	defer x.Free()
	defer y.Free()
	x.Text, y.Text = write(x.Text, a), write(y.Text, b)
	return bytes.Equal(x.Text, y.Text)
}

// spelledAs gives the members of a status that say what they said before the spelling that they
// had: such an API server has rewritten their numbers, which is no edit.
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

// reported is a status without what is reported of devices that were allocated and are no longer:
// an API server takes that away of its own objects.
func reported(status, before any) any {
	now, _ := status.(*v1.ResourceClaimStatus)
	was, _ := before.(*v1.ResourceClaimStatus)
	if now == nil || was == nil || was.Allocation == nil || len(now.Devices) == 0 {
		return status
	}
	has := func(a *v1.AllocationResult, d v1.AllocatedDeviceStatus) bool {
		return a != nil && slices.ContainsFunc(a.Devices.Results, func(r v1.DeviceRequestAllocationResult) bool {
			share := r.ShareID == nil && d.ShareID == nil ||
				r.ShareID != nil && d.ShareID != nil && string(*r.ShareID) == *d.ShareID
			return r.Driver == d.Driver && r.Pool == d.Pool && r.Device == d.Device && share
		})
	}
	now.Devices = slices.DeleteFunc(now.Devices, func(d v1.AllocatedDeviceStatus) bool {
		return has(was.Allocation, d) && !has(now.Allocation, d)
	})
	return now
}
