package chain

import (
	"bytes"
	"reflect"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/internal/names"
)

// travels are the parts of a claim that do not come back from what an old version shows of it. The
// texts are of a claim of the stored version.
func (links Chain) travels(c, shown Claim, from, to int, texts leftover.Stored,
	files bool,
) (s leftover.Stored, err error) {
	storage := links.Stored()
	if from < to { // what is stored is made of what is shown
		if files {
			_, _, err = links.bare(shown, to, storage, files)
		}
		return s, err
	}
	back, _, err := links.bare(shown, to, from, files)
	if err != nil || from < storage && c.Form == back.Form && reflect.DeepEqual(c.Spec, back.Spec) &&
		reflect.DeepEqual(c.Status, back.Status) {
		return s, err
	}
	stored, _, err := links.bare(c, from, storage, files)
	if err != nil {
		return s, err
	}
	if back, _, err = links.bare(back, from, storage, files); err != nil {
		return s, err
	}
	if files { // which say nothing by an empty list
		texts = leftover.Stored{}
	}
	s.Spec = differs(stored.Spec, back.Spec, texts.Spec, !files)
	s.Status = differs(stored.Status, back.Status, texts.Status, !files)
	if s.Spec == nil || s.Status != nil || !links[to].NamesNoRequest || !links[to].allocated(shown) {
		return s, nil
	}
	// The allocation has to come back as the same whether its spec does, which names the request,
	// or is taken away by a client.
	if back, _, err = links.bare(shown.For(firstRequest(stored.Spec)), to, storage, files); err != nil {
		return s, err
	}
	s.Status = differs(stored.Status, back.Status, texts.Status, !files)
	return s, nil
}

// firstRequest of a spec of the stored version.
func firstRequest(spec any) string {
	if s, _ := spec.(*v1.ResourceClaimSpec); s != nil && len(s.Devices.Requests) > 0 {
		return s.Devices.Requests[0].Name
	}
	return ""
}

// differs is the text of a part, if it differs from what comes back. Where nobody has written it,
// its members are in the order in which an API server stores them, if asked for.
func differs(part, back any, given []byte, order bool) (travels []byte) {
	if part == nil {
		return nil
	}
	same := back != nil && reflect.DeepEqual(part, back)
	if same && given == nil {
		return nil
	}
	write := kjson.Append
	if order && given == nil {
		write = kjson.AppendOrdered
	}
	is := kjson.NewBuffer()
	defer is.Free()
	is.Text = write(is.Text, part)
	if given == nil {
		given = is.Text
	}
	// What we write is the shortest spelling, but for quantities, which no version has that cannot
	// say all: one of the same length is the same.
	if same && len(given) == len(is.Text) {
		return nil
	}
	if back != nil {
		comes := kjson.NewBuffer()
		defer comes.Free()
		if comes.Text = write(comes.Text, back); comesBack(given, is.Text, comes.Text) {
			return nil
		}
	}
	return kjson.AppendCompact(make([]byte, 0, len(given)), given)
}

// comesBack reports whether a part that comes back is the one that was given, which is written by
// us as it is. Only parameters have an order of their own, which changes no length, and entries of
// ours a spelling. What was given may be spelled otherwise, or say what is empty.
func comesBack(given, is, comes []byte) bool {
	equal := bytes.Equal(comes, is)
	switch {
	case equal && len(given) == len(is):
		return true
	case equal || len(comes) == len(is) || bytes.Contains(given, ours):
		return bytes.Equal(kjson.Ordered(given), kjson.Ordered(comes))
	}
	return false
}

// ours is in entries of ours.
var ours = []byte(`"` + names.Domain + `/v1"`)

// textOf a part; an absent one is empty.
func textOf(part any) []byte {
	if part == nil {
		return []byte("{}")
	}
	return kjson.Marshal(part)
}
