package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/names"
)

// ourDomain is the prefix of annotations and labels of ours.
const ourDomain = names.Domain + "/"

var storedSpecIsUnchanged = Rule{
	Name:       "stored-spec-is-unchanged",
	Reason:     "What the stored spec says, it goes on saying, also where the version of the write can say it only by annotation.",
	Source:     "claimbridge",
	asked:      onUpdate | onStatus,
	transition: true,
	check: func(w *write, refuse refuse) {
		if w.converted() && !same(w.stored.old.spec, w.stored.new.spec) {
			refuse(w.changedUnseen("spec"))
		}
	},
}

var storedStatusIsUnchanged = Rule{
	Name:       "stored-status-is-unchanged",
	Reason:     "A write of the main resource does not change the stored status, also not by annotation.",
	Source:     "claimbridge",
	asked:      onUpdate,
	transition: true,
	check: func(w *write, refuse refuse) {
		if w.converted() && !same(w.stored.old.status, w.stored.new.status) {
			refuse(w.changedUnseen("status"))
		}
	},
}

// converted reports whether storing changes the object at all. In the newest version what is sent is what is stored, and
// upstream's rules have compared it.
func (w *write) converted() bool { return w.version != conversion.Newest() }

// changedUnseen is the refusal of a write that changes in storage what it does not change where the client can see it.
// An annotation of ours that was stripped or edited is to blame.
func (w *write) changedUnseen(part string) *field.Error {
	at, remedy := field.NewPath(part), "write the object as it was read"
	before, after := w.old.carrier(), w.new.carrier()
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if strings.HasPrefix(key, ourDomain) && before[key] != after[key] {
			at, remedy = w.metadataPath.Child("annotations").Key(key), "keep the annotation "+key+" as it was read"
			break
		}
	}
	for _, key := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[key]; strings.HasPrefix(key, ourDomain) && !had {
			at, remedy = w.metadataPath.Child("annotations").Key(key), "remove the annotation "+key
			break
		}
	}
	return field.Forbidden(at, fmt.Sprintf("the stored %s would change although the %s sent does not: %s, or write through %s",
		part, part, remedy, conversion.Newest()))
}

// carrierPath is the first annotation of ours on the new object, or a part of the object.
func (w *write) carrierPath(part string) *field.Path {
	for _, key := range slices.Sorted(maps.Keys(w.new.carrier())) {
		if strings.HasPrefix(key, ourDomain) {
			return w.metadataPath.Child("annotations").Key(key)
		}
	}
	return field.NewPath(part)
}
