package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/conversion"
)

// converter answers ConversionReviews.
type converter struct {
	groups       groups
	keepMetadata bool
	metrics      *metrics
	log          logr.Logger
	// failures that are logged.
	failures *logLimit
	budget   *budget
	// helpers bounds the goroutines that help with big reviews, over all requests.
	helpers chan struct{}
	// convert is conversion.Append.
	convert func(out, object []byte, version string, o conversion.Options) ([]byte, conversion.Report, error)
}

// apiServer is how the user agent of a kube-apiserver that calls webhooks begins.
const apiServer = "kube-apiserver-admission"

func (c *converter) answer(ctx context.Context, r *http.Request, body []byte) (answer, error) {
	review, err := readConversionReview(body)
	if err != nil {
		return answer{}, err
	}
	group, version, err := c.wanted(review.desired)
	if err != nil {
		message := shorten(err.Error(), maxCause)
		if omitted, ok := c.failures.admit(); ok {
			c.log.Error(nil, "Cannot convert", "objects", len(review.objects), "cause", message, "omitted", omitted)
		}
		return answer{first: review.failure(message)}, nil
	}
	t := task{ctx, body, group, version, conversion.Options{
		TrimMetadata: !c.keepMetadata && strings.HasPrefix(r.UserAgent(), apiServer),
	}}
	var out answer
	var failed failures
	if count, bytes := lengthOf(review.objects); count == len(review.objects) {
		out.first = review.appendHead(newBuffer(roomFor(bytes) + maxHead))
		out.first, failed = c.objects(t, out.first, review.objects, 0)
		out.first = appendSuccess(out.first)
		if failed.refused == nil && cap(out.first) > writeSize { // one object; smaller ones are in the body's share
			failed.refused = c.budget.payAnswer(&out.held, cap(out.first))
		}
	} else {
		out, failed = c.chunked(t, review)
	}
	switch {
	case failed.refused != nil:
		return answer{held: out.held}, failed.refused
	case ctx.Err() != nil:
		return answer{held: out.held}, tooLate()
	}
	if failed.count > 0 {
		failed.of = len(review.objects)
		if omitted, ok := c.failures.admit(); ok {
			c.log.Error(nil, "Cannot convert", "to", version, "failed", failed.count, "objects", failed.of, "causes", failed.causes, "omitted", omitted)
		}
		return answer{first: review.failure(failed.message(review.desired)), held: out.held}, nil
	}
	return out, nil
}

// task is what is to be done with the objects of a review.
type task struct {
	ctx            context.Context //nolint:containedctx // it lives as long as the request
	body           []byte
	group, version string
	options        conversion.Options
}

// wanted splits a desired apiVersion whose group is served.
func (c *converter) wanted(desired string) (group, version string, err error) {
	group, version, found := strings.Cut(desired, "/")
	if !found || group == "" || version == "" {
		return "", "", fmt.Errorf("desiredAPIVersion %q: must be group/version", shorten(desired, 253))
	}
	return group, version, c.groups.check(group)
}

// objects appends what becomes of objects, with commas between. The first one has a place among all.
func (c *converter) objects(t task, out []byte, objects []span, first int) (_ []byte, failed failures) {
	for i, place := range objects {
		if t.ctx.Err() != nil {
			break
		}
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err, failed.refused = c.paid(t, out, place.of(t.body)); failed.refused != nil {
			break
		}
		if err != nil {
			failed.add(first+i, err)
		}
	}
	return out, failed
}

// paid appends one converted object when there is memory for it; refused says that there is none.
func (c *converter) paid(t task, out, object []byte) (_ []byte, err, refused error) {
	held, refused := c.budget.toWork(t.ctx, object)
	if refused != nil {
		return out, nil, refused
	}
	defer held.release()
	if len(object) > chunkSize {
		out = slices.Grow(out, len(object)+len(object)/2)
	}
	out, err = c.one(out, object, t.group, t.version, t.options)
	return out, err, nil
}

// one appends one converted object and counts what happened. An error names the object, and appends nothing.
func (c *converter) one(out, object []byte, group, version string, o conversion.Options) (converted []byte, err error) {
	var report conversion.Report
	result := resultFailed
	defer func() {
		if v := recover(); v != nil {
			c.metrics.panicked("convert", c.log, v)
			header, _ := conversion.ReadHeader(object)
			report.Version, result, converted = header.Version, resultPanicked, out
			err = &conversion.Error{Header: header, To: version, Err: errors.New("internal error, see the log of claimbridge")}
		}
		c.metrics.converted(report.Version, version, result)
	}()
	if string(object) == "null" {
		return out, errors.New("null is not an object")
	}
	converted, report, err = c.convert(out, object, version, o)
	if err == nil && report.Group == group {
		result = resultConverted
		if report.Version == version {
			result = resultSame
		}
		c.report(object, version, report)
		return converted, nil
	}
	header, unread := conversion.ReadHeader(object)
	report.Version = header.Version
	if unread == nil && header.Group != group { // it is told so, whatever else is wrong with it
		err = fmt.Errorf("its group is %q, but %q is wanted: a conversion keeps the group", shorten(header.Group, 253), group)
		err = &conversion.Error{Header: header, To: version, Err: err}
	}
	return out, err
}

// report counts and logs what a conversion did beside converting: places, never values.
func (c *converter) report(object []byte, version string, report conversion.Report) {
	c.metrics.reported(version, report)
	if len(report.Unknown)+len(report.Ignored)+len(report.Stale)+len(report.Lost) == 0 && report.Incomplete == "" {
		return
	}
	if log := c.log.V(2); log.Enabled() {
		h, _ := conversion.ReadHeader(object)
		log.Info("Converted with remarks", "object", objectRef(h), "from", shorten(h.Version, 63), "to", version,
			"unknown", few(report.Unknown), "ignored", few(report.Ignored), "stale", few(report.Stale), "lost", few(report.Lost), "incomplete", report.Incomplete)
	}
}
