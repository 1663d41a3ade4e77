package lens

import (
	"bytes"
	"maps"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// v1beta1 and v1beta2 say what v1 says, at other places or at the same. In v1beta1
//
//	a request has what v1 has in exactly, and its class even where it has none    request.go
//	a device of a slice has all but its name in basic                             device.go
//	a slice has no nodeName and no allNodes where v1 has nodeName "", allNodes false
//
// All else is the same text.

// bothWays between a version and v1.
type bothWays struct{ down, up map[string]edit }

// edits that a version needs beside its apiVersion, by version and kind.
var edits = map[string]map[string]bothWays{
	"v1beta1": {
		"ResourceClaim": {
			down: map[string]edit{"spec": requests(requestDown)},
			up:   map[string]edit{"spec": requests(requestUp)},
		},
		"ResourceClaimTemplate": {
			down: map[string]edit{"spec": within(map[string]edit{"spec": requests(requestDown)})},
			up:   map[string]edit{"spec": within(map[string]edit{"spec": requests(requestUp)})},
		},
		"ResourceSlice": {
			down: map[string]edit{"spec": slice(deviceDown)},
			up:   map[string]edit{"spec": slice(deviceUp)},
		},
	},
}

func requests(request func(*rewriter)) edit {
	return within(map[string]edit{"devices": within(map[string]edit{"requests": each(request)})})
}

func slice(device func(*rewriter)) edit {
	return within(map[string]edit{"nodeName": unless(`""`), "allNodes": unless("false"), "devices": each(device)})
}

// unless a value is null or the zero that v1beta1 does not tell from nothing.
func unless(zero string) edit {
	return func(r *rewriter) bool {
		value := r.s.Value()
		r.out = append(r.out, value...)
		return string(value) != zero && !kjson.IsNull(value)
	}
}

// edit what differs between two versions: v1 and v1beta2 differ in their names alone, so what
// v1beta1 has of its own is done or undone.
func (l *Lens) edit(shown, served bothWays) {
	l.toShown, l.toServed = map[string]edit{}, map[string]edit{}
	maps.Copy(l.toShown, shown.down)
	maps.Copy(l.toShown, served.up)
	maps.Copy(l.toServed, shown.up)
	maps.Copy(l.toServed, served.down)
	l.toShown["apiVersion"], l.toServed["apiVersion"] = says("API version", l.served,
		l.shown), says("API version", l.shown, l.served)
	l.toShown["kind"], l.toServed["kind"] = says("kind", l.kind, l.kind), says("kind", l.kind, l.kind)
	l.toServed["metadata"] = metadataUp(l.served)
}

// says writes another text in the place of the one that must be there, or nothing.
func says(what, want, write string) edit {
	quoted := kjson.Quote(write)
	return func(r *rewriter) bool {
		value := r.s.Value()
		if got := kjson.StringOf(value); got != want && got != "" || !kjson.Begins(value, '"') && !kjson.IsNull(value) {
			r.wrong("", "the "+what+" in the data ("+got+") does not match the expected "+what+" ("+want+")")
			return false
		} else if got == "" {
			r.out = append(r.out, bytes.TrimSpace(value)...)
			return true
		}
		r.out = append(r.out, quoted...)
		return true
	}
}
