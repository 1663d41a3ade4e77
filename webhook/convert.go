package webhook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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
	// convert is conversion.JSON.
	convert func(object []byte, version string, o conversion.Options) ([]byte, conversion.Report, error)
}

// apiServer is how the user agent of a kube-apiserver that calls webhooks begins.
const apiServer = "kube-apiserver-admission"

func (c *converter) answer(ctx context.Context, r *http.Request, body []byte) ([]byte, error) {
	review, err := readConversionReview(body)
	if err != nil {
		return nil, err
	}
	version, err := c.wanted(review.desired)
	if err != nil {
		message := shorten(err.Error(), maxCause)
		c.log.Error(nil, "Cannot convert", "objects", len(review.objects), "cause", message)
		return review.failure(message), nil
	}
	options := conversion.Options{
		TrimMetadata: !c.keepMetadata && strings.HasPrefix(r.UserAgent(), apiServer),
	}
	// An answer is about as big as its request; append knows what to do when it is not.
	out := review.appendHead(make([]byte, 0, len(body)))
	failed := failures{of: len(review.objects)}
	for i, object := range review.objects {
		if ctx.Err() != nil {
			return nil, tooLate()
		}
		converted, err := c.one(object, review.desired, version, options)
		if err != nil {
			failed.add(i, err)
			continue
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, converted...)
	}
	if failed.count > 0 {
		c.log.Error(nil, "Cannot convert", "to", version, "failed", failed.count, "objects", failed.of, "causes", failed.causes)
		return review.failure(failed.message(review.desired)), nil
	}
	return appendSuccess(out), nil
}

// wanted splits the version off a desired apiVersion whose group is served.
func (c *converter) wanted(desired string) (version string, err error) {
	group, version, found := strings.Cut(desired, "/")
	if !found || group == "" || version == "" {
		return "", fmt.Errorf("desiredAPIVersion %q: must be group/version", shorten(desired, 253))
	}
	return version, c.groups.check(group)
}

// one converts one object and counts what happened. An error names the object.
func (c *converter) one(object []byte, desired, version string, o conversion.Options) (converted []byte, err error) {
	var header conversion.Header
	result := resultFailed
	defer func() {
		if v := recover(); v != nil {
			c.metrics.panicked("convert", c.log, v)
			result, converted = resultPanicked, nil
			err = &conversion.Error{Header: header, To: version, Err: errors.New("internal error, see the log of claimbridge")}
		}
		c.metrics.converted(header, version, result)
	}()
	if object == nil {
		return nil, errors.New("null is not an object")
	}
	if header, err = conversion.ReadHeader(object); err != nil {
		return nil, &conversion.Error{Header: header, To: version, Err: err}
	}
	if header.APIVersion() == desired {
		result = resultSame
	} else if group, _, _ := strings.Cut(desired, "/"); header.Group != group {
		err := fmt.Errorf("its group is %q, but %q is wanted: a conversion keeps the group", shorten(header.Group, 253), group)
		return nil, &conversion.Error{Header: header, To: version, Err: err}
	}
	converted, report, err := c.convert(object, version, o)
	if err != nil {
		result = resultFailed
		return nil, err
	}
	if result != resultSame {
		result = resultConverted
	}
	c.report(header, version, report)
	return converted, nil
}

// report counts and logs what a conversion did beside converting: places, never values.
func (c *converter) report(h conversion.Header, version string, report conversion.Report) {
	c.metrics.reported(h, version, report)
	if len(report.Unknown)+len(report.Ignored)+len(report.Lost) == 0 && report.Incomplete == "" {
		return
	}
	if log := c.log.V(2); log.Enabled() {
		log.Info("Converted with remarks", "object", objectRef(h), "from", shorten(h.Version, 63), "to", version,
			"unknown", few(report.Unknown), "ignored", few(report.Ignored), "lost", few(report.Lost), "incomplete", report.Incomplete)
	}
}
