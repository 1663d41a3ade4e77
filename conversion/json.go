package conversion

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/conversion/internal/chain"
	"github.com/claimbridge/claimbridge/conversion/internal/leftover"
	"github.com/claimbridge/claimbridge/internal/kjson"
)

// JSON converts one object, a ResourceClaim or a ResourceClaimTemplate, to another version of its
// own group. To its own version an object is a copy of what it was, byte for byte; with
// Options.Strict it is read all the same, and an unknown or duplicate field or a value of the wrong
// type is an error as with any other version. Metadata passes through as it is written, but for
// labels and annotations of claimbridge. An error is an *Error.
func JSON(object []byte, version string, o Options) ([]byte, Report, error) {
	b := kjson.NewBuffer()
	defer b.Free()
	out, report, err := Append(slices.Grow(b.Text, len(object)+len(object)/2), object, version, o)
	if err != nil {
		return nil, report, err
	}
	if cap(out) > kjson.MaxBuffer { // it is none that is kept
		return out, report, nil
	}
	b.Text = out
	return bytes.Clone(out), report, nil
}

// Append is JSON, but appends the answer to a buffer, which is returned as it was when there is an error.
func Append(out, object []byte, version string, o Options) (_ []byte, report Report, err error) {
	w := newWorkspace(object)
	defer w.free()
	converted := out
	if err = w.readObject(); err == nil {
		converted, err = w.convert(out, version, o, &report)
		report.Group, report.Version = w.origin()
	}
	if err != nil {
		return out, report, failure(w.object.Header, version, err)
	}
	return converted, report, nil
}

// convert appends the object in another version, or as it is.
func (w *workspace) convert(out []byte, version string, o Options, report *Report) ([]byte, error) {
	from, to := indexOf(w.object.Version), indexOf(version)
	if from < 0 || to < 0 {
		return nil, cmp.Or(checkVersion(w.object.Version), checkVersion(version))
	}
	if from == to && !o.Strict && !o.inspects(to) {
		return append(out, w.text...), nil // nothing is dropped, so nothing needs to be read
	}
	if err := w.load(o); err != nil {
		return nil, err
	}
	c, unknown, err := w.readClaim(from, o)
	if err != nil {
		return nil, err
	}
	w.asTyped = len(unknown) > 0
	if from != to || o.Strict {
		report.Unknown = slices.Concat(w.object.unknown, unknown)
	}
	if o.Strict && len(report.Unknown) > 0 {
		return nil, &UnknownFieldError{Fields: report.Unknown}
	}
	walked, err := w.walk(c, from, to, o, report)
	if err != nil {
		return nil, err
	}
	if from == to {
		return append(out, w.text...), nil
	}
	spec, status := walked.Spec, walked.Status
	if walked.Texts.Spec != nil {
		spec = walked.Texts.Spec
	}
	if walked.Texts.Status != nil {
		status = walked.Texts.Status
	}
	return w.append(out, version, spec, status, o), nil
}

// walk converts a claim, unless it has the version already, and reports what became of what
// travelled and what is wrong with it.
func (w *workspace) walk(c chain.Claim, from, to int, o Options, report *Report) (_ chain.Walked, err error) {
	walked := chain.Walked{Claim: c}
	if from != to {
		walked, err = links.Walk(c, from, to, w.texts(from), &w.leftovers, chain.Options{
			Files: o.AnnotationsOnly, Bare: o.Bare, Refused: o.inspects(to), Size: len(w.text),
		})
		report.Lost, report.Incomplete = walked.Lost, walked.Incomplete
		report.RestoredSpec, report.RestoredStatus = walked.RestoredSpec, walked.RestoredStatus
		report.travelled(&w.leftovers)
		if o.AnnotationsOnly && err == nil {
			var lost []string
			if walked.Claim, lost = inTree(walked.Claim, w.object.Header); len(lost) > 0 {
				walked.Texts.Status = nil
			}
			report.Lost = append(report.Lost, lost...)
		}
	}
	if o.inspects(to) && (err == nil || errors.Is(err, ErrIncomplete)) {
		report.Findings = w.inspect(walked.Claim, from, walked.RestoredSpec)
	}
	return walked, err
}

// texts of the parts of an object of the stored version, as they are written. Fields that nobody
// knows do not travel, and of an object that is opened the status may be another's.
func (w *workspace) texts(from int) (s leftover.Stored) {
	if from != stored || w.asTyped {
		return s
	}
	members := w.object.Members
	if w.object.Kind == api.KindTemplate {
		members = w.object.template
	} else {
		s.Status = kjson.Get(members, "status")
	}
	s.Spec = kjson.Get(members, "spec")
	return s
}

// inspects tells whether leftovers are looked at on the way to a version: only the stored one has all of them used.
func (o Options) inspects(to int) bool { return o.Inspect && to == stored }

// readClaim decodes the spec and status of the object, which is of the version of an index.
func (w *workspace) readClaim(version int, o Options) (c chain.Claim, unknown []string, err error) {
	obj := &w.object
	complete := obj.Name != "" || obj.GenerateName != ""
	form := chain.Form{Complete: complete, AsWritten: o.OmitDefaults, Request: o.Request}
	if obj.Kind == api.KindClaim {
		return links.Read(version, form, kjson.Get(obj.Members, "spec"), kjson.Get(obj.Members, "status"), &w.room)
	}
	c, unknown, err = links.Read(version, form, kjson.Get(obj.template, "spec"), nil, &w.room)
	for i := range unknown {
		unknown[i] = kjson.JoinPath("spec", unknown[i])
	}
	return c, unknown, kjson.Within("spec", err)
}
