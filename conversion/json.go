package conversion

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/claimbridge/claimbridge/internal/kjson"
)

// JSON converts one object, a ResourceClaim or a ResourceClaimTemplate, to another version of its own group. To its
// own version an object is a copy of what it was, byte for byte; with Options.Strict it is read all the same, and an
// unknown or duplicate field or a value of the wrong type is an error as with any other version. Metadata passes through as it is written, but for labels and annotations
// of ours. An error is an *Error.
func JSON(object []byte, version string, o Options) ([]byte, Report, error) {
	buffer := answers.Get().(*[]byte)
	defer answers.Put(buffer)
	out, same, report, err := convert(slices.Grow(*buffer, len(object)+len(object)/2), object, version, o)
	switch {
	case err != nil:
		return nil, report, err
	case same:
		return bytes.Clone(object), report, nil
	case cap(out) > maxTexts: // more than is kept
		return out, report, nil
	}
	*buffer = out[:0]
	return bytes.Clone(out), report, nil
}

// answers are buffers in which answers are made before it is known how long they are.
var answers = sync.Pool{New: func() any { return new([]byte) }}

// Append is JSON, but appends the answer to a buffer, which is returned as it was when there is an error.
func Append(out, object []byte, version string, o Options) ([]byte, Report, error) {
	converted, same, report, err := convert(out, object, version, o)
	switch {
	case err != nil:
		return out, report, err
	case same:
		return append(out, object...), report, nil
	}
	return converted, report, nil
}

// convert appends the converted object, unless it is the same one.
func convert(out, object []byte, version string, o Options) (_ []byte, same bool, _ Report, err error) {
	w := newWorkspace(object)
	defer w.free()
	if err := w.readObject(); err != nil {
		return nil, false, Report{}, failure(w.object.Header, version, err)
	}
	out, same, err = w.convert(out, version, o)
	w.carriage.report.Group, w.carriage.report.Version = w.origin()
	if err != nil {
		return nil, false, w.carriage.report, failure(w.object.Header, version, err)
	}
	return out, same, w.carriage.report, nil
}

func (w *workspace) convert(out []byte, version string, o Options) (_ []byte, same bool, err error) {
	obj, carried := &w.object, &w.carriage
	from, to := place(obj.Version), place(version)
	if from < 0 || to < 0 {
		return nil, false, cmp.Or(CheckVersion(obj.Version), CheckVersion(version))
	}
	o.Inspect = o.Inspect && to == len(versions)-1
	if from == to && !o.Strict && !o.Inspect {
		return nil, true, nil // nothing is dropped, so nothing needs to be read
	}
	if err := w.load(); err != nil {
		return nil, false, err
	}
	c, unknown, err := w.readClaim(from)
	if err != nil {
		return nil, false, err
	}
	carried.tell = o.Carried
	if from != to || o.Strict {
		carried.report.Unknown = slices.Concat(obj.unknown, unknown)
	}
	if o.Strict && len(carried.report.Unknown) > 0 {
		return nil, false, &UnknownFieldError{Fields: carried.report.Unknown}
	}
	if from != to {
		c, err = walk(c, from, to, carried, o)
	}
	if o.Inspect {
		carried.report.Findings = w.inspect(c, from)
	}
	if from == to || err != nil {
		return nil, from == to, err
	}
	spec, status := versions[to].parts(c)
	return w.append(out, version, spec, status, o), false, nil
}

// readClaim decodes the spec and status.
func (w *workspace) readClaim(place int) (c any, unknown []string, err error) {
	obj := &w.object
	if obj.Kind == kindClaim {
		return versions[place].read(w, kjson.Get(obj.Members, "spec"), kjson.Get(obj.Members, "status"), obj.complete())
	}
	c, unknown, err = versions[place].read(w, kjson.Get(obj.template, "spec"), nil, obj.complete())
	for i := range unknown {
		unknown[i] = kjson.JoinPath("spec", unknown[i])
	}
	return c, unknown, kjson.Within("spec", err)
}
