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
	"github.com/claimbridge/claimbridge/internal/kjson/codec"
)

// Whole is a claim as it stands in an answer. Texts are there for parts that are written as they are, whatever the claim says.
type Whole struct {
	Claim
	Texts leftover.Stored
}

// Walk converts a claim from the version of one index to that of another one. Going down it shows what the version can say, and what is
// stored travels beside it, part by part, where the way back would not give it. Going up what travels comes home: verbatim where the
// claim shows it as it was shown, else as a merge of what is stored, what was shown, and what is there now. The texts are those of a
// claim of the newest version.
func (links Chain) Walk(c Claim, from, to int, texts leftover.Stored, a *kjson.Arena, travelling *leftover.Leftovers, o Options) (_ Whole, walked Walked, refused error) {
	if o.Bare {
		c, walked, err := links.walkBare(c, from, to, o)
		return Whole{Claim: c}, walked, err
	}
	newest, whole := len(links), links.whole(from)
	travelling.TakeIncomplete()
	switch {
	case whole:
		travelling.Stored()
	case travelling.HasEarlier(links[from].mark(c), keys(links)):
		if c, walked, refused = links.walkEarlier(c, from, newest, travelling, o); c == nil {
			return Whole{}, walked, refused
		}
		from = newest
	default:
		mark := links[from].mark(c)
		stored := travelling.TakeStored(mark)
		if stored.Spec == nil && travelling.HasEarlierKey(keys(links)) { // somebody read the copy before this release was there
			if early, _, err := links.walkEarlier(c.WithStatus(nil), from, newest, travelling, Options{AnnotationsOnly: true}); err == nil {
				if spec, _ := early.Parts(); spec != nil {
					stored.Spec = textOf(spec)
				}
			}
		}
		spec, status := c.Parts()
		refused = travelling.RefuseIncomplete(spec != nil, status != nil, links[from].field(c) != nil)
		if refused != nil && to < from { // nobody writes it: it is read, and lacks what it lacked
			shown, more, err := links.walkBare(c, from, to, o)
			if err == nil {
				more.Incomplete = travelling.PutIncomplete()
			}
			return Whole{Claim: shown}, more, err
		}
		if refused != nil && !o.Refused {
			return Whole{}, walked, refused
		}
		if stored.Spec != nil || stored.Status != nil {
			var err error
			if c, texts, walked, err = links.home(c, from, stored, a, travelling, o); err != nil {
				return Whole{}, walked, err
			}
			from = newest
		}
	}
	if refused == nil {
		travelling.Forget()
	}
	shown, more, err := links.walkBare(c, from, to, o)
	walked.Lost = append(walked.Lost, more.Lost...)
	travelling.Ignored = append(travelling.Ignored, more.Ignored...)
	if err != nil {
		return Whole{}, walked, err
	}
	if travelling.Sweep(); links.whole(to) || refused != nil {
		if to != newest || from != newest {
			texts = leftover.Stored{}
		}
		return Whole{shown, texts}, walked, refused
	}
	travels, err := links.travels(c, shown, from, to, texts, o)
	if err != nil {
		return Whole{}, walked, err
	}
	var field *string
	if c.IsComplete() && !o.AnnotationsOnly {
		field = links[to].mark(shown)
	}
	travelling.PutStored(travels, field, links[to].field(shown) != nil)
	walked.Incomplete = travelling.PutIncomplete()
	return Whole{Claim: shown}, walked, nil
}

// travels are the parts of a claim that do not come back from what an old version shows of it.
func (links Chain) travels(c, shown Claim, from, to int, texts leftover.Stored, o Options) (s leftover.Stored, err error) {
	newest := len(links)
	stored := c
	if from != newest {
		if stored, _, err = links.walkBare(c, from, newest, o); err != nil {
			return s, err
		}
	}
	if from != newest || o.AnnotationsOnly { // a file says nothing by an empty list
		texts = leftover.Stored{}
	}
	order := !o.AnnotationsOnly
	back, _, err := links.walkBare(shown, to, newest, o)
	if err != nil {
		return s, err
	}
	spec, status := stored.Parts()
	backSpec, backStatus := back.Parts()
	s = leftover.Stored{Spec: differs(spec, backSpec, texts.Spec, order), Status: differs(status, backStatus, texts.Status, order)}
	if s.Spec == nil || s.Status != nil || !links[to].namesNoRequest || links[to].field(shown) == nil {
		return s, nil
	}
	// The allocation has to come back as the same whether its spec does, which names the request, or is taken away by a client.
	if back, _, err = links.walkBare(shown.For(firstRequest(spec)), to, newest, o); err != nil {
		return s, err
	}
	_, backStatus = back.Parts()
	s.Status = differs(status, backStatus, texts.Status, order)
	return s, nil
}

// firstRequest of a spec of the newest version.
func firstRequest(spec any) string {
	if s, _ := spec.(*v1.ResourceClaimSpec); s != nil && len(s.Devices.Requests) > 0 {
		return s.Devices.Requests[0].Name
	}
	return ""
}

// differs is the text of a part, if it differs from what comes back. Where nobody has written it, its members are in the order in which an
// API server stores them.
func differs(part, back any, text []byte, order bool) (travels []byte) {
	if part == nil {
		return nil
	}
	kjson.Lend(func(w *kjson.Writer) { codec.WriteValue(w, part) }, func(is []byte) {
		order = order && text == nil
		if text == nil {
			text = is
		}
		if back != nil {
			kjson.Lend(func(w *kjson.Writer) { codec.WriteValue(w, back) }, func(comes []byte) {
				same := len(text) == len(is) && bytes.Equal(comes, is)
				// Only parameters have an order and a spelling of their own; an order changes no length.
				if spelled := len(text) == len(comes) || bytes.Contains(text, []byte(`\u`)) || bytes.ContainsAny(text, "\n\t") || bytes.Contains(text, []byte(`": `)); !same && spelled {
					same = bytes.Equal(kjson.Ordered(text), kjson.Ordered(comes))
				}
				travels = []byte{}
				if same {
					travels = nil
				}
			})
			if travels == nil {
				return
			}
		}
		if order {
			travels = kjson.Ordered(text)
		} else {
			travels = kjson.AppendCompact(nil, text)
		}
	})
	return travels
}

func sameText(part any, text []byte) (same bool) {
	if part == nil {
		return false
	}
	kjson.Lend(func(w *kjson.Writer) { codec.WriteValue(w, part) }, func(is []byte) { same = bytes.Equal(is, text) })
	return same
}

func textOf(part any) []byte {
	if part == nil {
		return []byte("{}")
	}
	return kjson.Written(func(w *kjson.Writer) { codec.WriteValue(w, part) })
}

// home brings a copy home to what is stored, of which one part at least travelled beside it.
func (links Chain) home(c Claim, from int, texts leftover.Stored, a *kjson.Arena, travelling *leftover.Leftovers, o Options) (_ Claim, _ leftover.Stored, walked Walked, err error) {
	newest := len(links)
	form := Form{Complete: c.IsComplete(), AsWritten: c.IsAsWritten()}
	stored := links.New(newest, form)
	if unknown, err := stored.Read(a, texts.Spec, nil); err != nil || len(unknown) > 0 {
		travelling.Malformed(leftover.Spec)
		texts.Spec, stored = nil, links.New(newest, form)
	}
	withStatus := links.New(newest, form)
	if unknown, err := withStatus.Read(a, nil, texts.Status); err != nil || len(unknown) > 0 && !texts.InField {
		travelling.Malformed(leftover.Status)
		texts.Status = nil
	} else {
		_, status := withStatus.Parts()
		if stored = stored.WithStatus(status); len(unknown) > 0 {
			texts.Status = textOf(status)
		}
	}
	was, _, err := links.walkBare(stored, newest, from, o)
	if err != nil {
		return nil, texts, walked, err
	}
	shownSpec, shownStatus := was.Parts()
	spec, status := c.Parts()
	storedSpec, storedStatus := stored.Parts()
	completed, shownCompleted := links[from].both(c, was)
	if texts.Spec != nil && (spec == nil || !sameParts(spec, shownSpec) && !sameParts(completed().Spec, shownCompleted().Spec)) {
		travelling.Edited()
		texts.Spec = nil
	}
	request := ""
	if texts.Spec != nil {
		request = firstRequest(storedSpec)
	}
	is, walked, err := links.walkBare(c.For(request), from, newest, o)
	if err != nil {
		return nil, texts, walked, err
	}
	if texts.Spec != nil {
		is = is.WithSpec(storedSpec)
	}
	if texts.Status == nil {
		return is, texts, walked, nil
	}
	if status != nil && (sameParts(status, shownStatus) || sameParts(completed().Status, shownCompleted().Status)) {
		return is.WithStatus(storedStatus), texts, walked, nil
	}
	wasUp, _, err := links.walkBare(was.For(request), from, newest, o)
	if err != nil {
		return nil, texts, walked, err
	}
	_, wasStatus := wasUp.Parts()
	_, isStatus := is.Parts()
	before, after := textOf(wasStatus), textOf(isStatus)
	if merge.Same(statusShape, before, after) {
		return is.WithStatus(storedStatus), texts, walked, nil
	}
	merged := links.New(newest, form)
	if _, err := merged.Read(a, nil, merge.Merge(nil, statusShape, texts.Status, before, after)); err != nil {
		return nil, texts, walked, err
	}
	texts.Status = nil
	_, mergedStatus := merged.Parts()
	return is.WithStatus(reported(mergedStatus, storedStatus)), texts, walked, nil
}

// statusShape of a status: an allocation changes as a whole.
var statusShape = merge.ShapeOf(reflect.TypeFor[v1.ResourceClaimStatus]()).Reaching(map[string]merge.Reach{"allocation": merge.Whole})

// parts of a claim.
type parts struct{ Spec, Status any }

// both gives copies of two claims with defaults, made once when somebody asks: a file may lack what an API server has set since.
func (l Link) both(a, b Claim) (_, _ func() parts) {
	of := func(c Claim) func() parts {
		return sync.OnceValue(func() (p parts) {
			p.Spec, p.Status = l.completed(c)
			return p
		})
	}
	return of(a), of(b)
}

// sameParts of a version: how they are written makes no difference.
func sameParts(a, b any) bool {
	return b != nil && (sameText(a, textOf(b)) || leftover.Digest(a) == leftover.Digest(b))
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
			share := r.ShareID == nil && d.ShareID == nil || r.ShareID != nil && d.ShareID != nil && string(*r.ShareID) == string(*d.ShareID)
			return r.Driver == d.Driver && r.Pool == d.Pool && r.Device == d.Device && share
		})
	}
	now.Devices = slices.DeleteFunc(now.Devices, func(d v1.AllocatedDeviceStatus) bool { return has(was.Allocation, d) && !has(now.Allocation, d) })
	return now
}
