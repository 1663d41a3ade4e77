package review

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
	"github.com/claimbridge/claimbridge/webhook/internal/refusal"
)

// converter answers ConversionReviews.
type converter struct {
	groups       Groups
	keepMetadata bool
	metrics      *metrics.Metrics
	log          logr.Logger
	// failures that are logged.
	failures *loglimit.Limit
	budget   *budget
	// convert is conversion.Append.
	convert func(out, object []byte, version string, o conversion.Options) ([]byte, conversion.Report, error)
}

// apiServer is how the user agent of a kube-apiserver that calls webhooks begins.
const apiServer = "kube-apiserver-admission"

func (c *converter) answer(caller caller, r *http.Request, body []byte) (answer, error) {
	review, err := readConversionReview(body)
	if err != nil {
		return answer{}, err
	}
	group, version, err := c.wanted(review.desired)
	if err != nil {
		message := refusal.Shorten(err.Error(), maxCause)
		if omitted, ok := c.failures.Admit(); ok {
			c.log.Error(nil, "Cannot convert", "objects", len(review.objects), "cause", message, "omitted", omitted)
		}
		return answer{last: review.failure(message)}, nil
	}
	t := task{caller, body, group, version, conversion.Options{
		TrimMetadata: !c.keepMetadata && strings.HasPrefix(r.UserAgent(), apiServer),
	}}
	out, failed, err := c.objects(t, &review)
	if err == nil && !t.waits() {
		err = tooLate()
	}
	if err != nil {
		return answer{held: out.held}, err
	}
	if failed.count > 0 {
		failed.of = len(review.objects)
		if omitted, ok := c.failures.Admit(); ok {
			c.log.Error(nil, "Cannot convert", "to", version, "failed", failed.count, "objects", failed.of, "causes", failed.causes, "omitted", omitted)
		}
		return answer{last: review.failure(failed.message(review.desired)), held: out.held}, nil
	}
	return out, nil
}

// task is what is to be done with the objects of a review.
type task struct {
	caller
	body           []byte
	group, version string
	options        conversion.Options
}

// wanted splits a desired apiVersion whose group is served.
func (c *converter) wanted(desired string) (group, version string, err error) {
	group, version, found := strings.Cut(desired, "/")
	if !found || group == "" || version == "" {
		return "", "", fmt.Errorf("desiredAPIVersion %q: must be group/version", refusal.Shorten(desired, 253))
	}
	return group, version, c.groups.check(group)
}

// one appends one converted object and counts what happened. An error names the object, and appends nothing.
func (c *converter) one(out, object []byte, group, version string, o conversion.Options) (converted []byte, err error) {
	var report conversion.Report
	result := metrics.ResultFailed
	defer func() {
		if v := recover(); v != nil {
			c.metrics.Panicked("convert", c.log, v)
			header, _ := conversion.ReadHeader(object)
			report.Version, result, converted = header.Version, metrics.ResultPanicked, out
			err = &conversion.Error{Header: header, To: version, Err: errors.New("internal error, see the log of claimbridge")}
		}
		c.metrics.Converted(report.Version, version, result)
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
		err = fmt.Errorf("its group is %q, but %q is wanted: a conversion keeps the group", refusal.Shorten(header.Group, 253), group)
		err = &conversion.Error{Header: header, To: version, Err: err}
	}
	return out, err
}

// report counts and logs what a conversion did beside converting: paths, never values.
func (c *converter) report(object []byte, version string, report conversion.Report) {
	c.metrics.Reported(version, report)
	if len(report.Unknown)+len(report.Ignored)+len(report.Stale)+len(report.Lost) == 0 && report.Incomplete == "" {
		return
	}
	if log := c.log.V(2); log.Enabled() {
		h, _ := conversion.ReadHeader(object)
		log.Info("Converted with remarks", "object", objectRef(h), "from", refusal.Shorten(h.Version, 63), "to", version,
			"unknown", firstTen(report.Unknown), "ignored", firstTen(report.Ignored), "stale", firstTen(report.Stale), "lost", firstTen(report.Lost), "incomplete", report.Incomplete)
	}
}
