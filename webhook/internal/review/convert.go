package review

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// converter answers ConversionReviews.
type converter struct {
	Options
	// failures that are logged.
	failures *loglimit.Limit
	// convert is conversion.Append.
	convert func(out, object []byte, version string, o conversion.Options) ([]byte, conversion.Report, error)
	// tasks whose buffers are used again.
	tasks sync.Pool
}

// apiServer is how the user agent of a kube-apiserver that calls webhooks begins.
const apiServer = "kube-apiserver-admission"

// task is a review, what is to be done with its objects, and what became of them.
type task struct {
	answer
	call    *call
	decoder *jsontext.Decoder
	review  conversionReview
	// desired apiVersion when the objects begin, and what it is made of.
	desired        text
	group, version string
	options        conversion.Options
	failed         failures
}

const head = `{"kind":"ConversionReview","response":{"convertedObjects":[`

// serve a review: each object is converted as it comes. What is wrong with the review itself is an
// HTTP error, unless the answer has begun; then it is a conversion that failed.
func (c *converter) serve(w http.ResponseWriter, r *call) error {
	t, used := c.tasks.Get().(*task)
	if !used {
		t = &task{decoder: &jsontext.Decoder{}}
	}
	t.call, t.to, t.out = r, w, append(t.out[:0], head...)
	t.decoder.Reset(r, leniently)
	t.options = conversion.Options{TrimMetadata: !c.KeepMetadata && strings.HasPrefix(r.UserAgent(), apiServer)}
	t.review.Request.Objects = objects{call: r, see: func(object []byte) error { return c.object(t, object) }}
	err := r.unreadable(t.review.read(t.decoder))
	if t.review.Request.Objects.read == 0 {
		c.begin(t)
	}
	switch {
	case err != nil:
	case t.desired != t.review.Request.Desired:
		err = notAReview("desiredAPIVersion stands behind objects: API servers write it before them")
	case !r.waits():
		err = refusal.TooLate()
	}
	if err != nil {
		if !t.begun {
			return err
		}
		t.failed.review = err
	}
	c.end(t)
	if r.held <= 2*perByte*readSize && t.err == nil { // what HTTP/2 could not write it may still be reading
		t.decoder.Reset(http.NoBody)
		*t = task{decoder: t.decoder, answer: answer{out: t.out}}
		c.tasks.Put(t)
	}
	return nil
}

// begin with the first object: by now it is known what is wanted.
func (c *converter) begin(t *task) {
	t.desired = t.review.Request.Desired
	t.group, t.version, t.failed.review = c.wanted(string(t.desired))
}

// object is converted next.
func (c *converter) object(t *task, object []byte) error {
	if t.review.Request.Objects.read == 1 {
		c.begin(t)
	}
	if !t.call.waits() {
		return refusal.TooLate()
	}
	if t.failed.review != nil {
		return nil //nolint:nilerr // the answer says what is wrong
	}
	before := len(t.out)
	if t.review.Request.Objects.read > 1 {
		t.out = append(t.out, ',')
	}
	converted, err := c.one(t.out, object, t.group, t.version, t.options)
	if err != nil {
		t.failed.add(t.review.Request.Objects.read-1, err)
	}
	if t.failed.count > 0 { // others are converted all the same, since the message names all that cannot be
		t.out = t.out[:before]
		return nil
	}
	t.out = converted
	return t.send()
}

// end of the answer.
func (c *converter) end(t *task) {
	message := t.failed.message(t.review.Request.Objects.read, string(t.desired))
	if message == "" {
		t.out = append(t.out, `],"result":{"status":"Success"`...)
	} else {
		if t.failed.count == 0 && (t.err != nil || !t.call.waits()) {
			c.Logger.V(2).Info("The caller left before the answer was whole", "to", refusal.Shorten(t.version, 63))
		} else if omitted, ok := c.failures.Admit(); ok {
			c.Logger.Error(nil, "Cannot convert", "to", refusal.Shorten(t.version, 63), "failed", t.failed.count,
				"objects", t.review.Request.Objects.read,
				"causes", t.failed.all(), "omitted", omitted)
		}
		if !t.begun {
			t.out = t.out[:len(head)]
		}
		t.out = appendText(append(t.out, `],"result":{"status":"Failure","message":`...), message)
	}
	t.out = appendText(append(t.out, `},"uid":`...), string(t.review.Request.UID))
	t.out = appendText(append(t.out, `},"apiVersion":`...), string(t.review.APIVersion))
	t.out = append(t.out, '}')
	t.finish()
}

func appendText(out []byte, text string) []byte {
	out, _ = jsontext.AppendQuote(out, text) // its one error is invalid UTF-8, which is replaced
	return out
}

// wanted splits a desired apiVersion whose group is served.
func (c *converter) wanted(desired string) (group, version string, err error) {
	group, version, found := strings.Cut(desired, "/")
	if !found || group == "" || version == "" {
		return "", "", fmt.Errorf("desiredAPIVersion %q: must be group/version", refusal.Shorten(desired, 253))
	}
	return group, version, c.Groups.check(group)
}

// one appends one converted object and counts what happened. An error names the object, and appends nothing.
func (c *converter) one(out, object []byte, group, version string, o conversion.Options) (converted []byte, err error) {
	var report conversion.Report
	result := metrics.ResultFailed
	defer func() {
		if v := recover(); v != nil {
			c.Metrics.Panicked("convert", c.Logger, v)
			header, _ := conversion.ReadHeader(object)
			report.Version, result, converted = header.Version, metrics.ResultPanicked, out
			err = &conversion.Error{
				Header: header,
				To:     version,
				Err:    errors.New("internal error, see the log of claimbridge"),
			}
		}
		c.Metrics.Converted(report.Version, version, result)
	}()
	if string(object) == "null" {
		return out, errors.New("null is not an object")
	}
	converted, report, err = c.convert(out, object, version, o)
	if err == nil && report.Group == group {
		result = metrics.ResultConverted
		if report.Version == version {
			result = metrics.ResultSame
		}
		c.report(object, version, report)
		return converted, nil
	}
	header, unread := conversion.ReadHeader(object)
	report.Version = header.Version
	if unread == nil && header.Group != group { // the message says so, whatever else is wrong with it
		err = fmt.Errorf("its group is %q, but %q is wanted: a conversion keeps the group",
			refusal.Shorten(header.Group, 253), group)
		err = &conversion.Error{Header: header, To: version, Err: err}
	}
	return out, err
}

// report counts and logs what a conversion did beside converting: paths, never values.
func (c *converter) report(object []byte, version string, report conversion.Report) {
	c.Metrics.Reported(version, report)
	if len(report.Unknown)+len(report.Ignored)+len(report.Stale)+len(report.Lost) == 0 && report.Incomplete == "" {
		return
	}
	if log := c.Logger.V(2); log.Enabled() {
		h, _ := conversion.ReadHeader(object)
		log.Info("Converted with remarks", "object", logName(h.Namespace, h.Name), "from",
			refusal.Shorten(h.Version, 63), "to", version,
			"unknown", firstTen(report.Unknown), "ignored", firstTen(report.Ignored), "stale", firstTen(report.Stale),
			"lost", firstTen(report.Lost), "incomplete", report.Incomplete)
	}
}
