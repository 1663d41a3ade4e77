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
		return nil, err
	}
	group, version, err := c.wanted(review.desired)
	if err != nil {
		message := shorten(err.Error(), maxCause)
		c.log.Error(nil, "Cannot convert", "objects", len(review.objects), "cause", message)
		return answer{review.failure(message)}, nil
	}
	options := conversion.Options{
		TrimMetadata: !c.keepMetadata && strings.HasPrefix(r.UserAgent(), apiServer),
	}
	chunks := chunksOf(review.objects)
	chunks[0].out = review.appendHead(newBuffer(chunks[0].bytes + maxHead))
	c.all(chunks, func(k *chunk) { c.chunk(ctx, k, group, version, options) })
	if ctx.Err() != nil {
		return nil, tooLate()
	}
	failed := failures{of: len(review.objects)}
	parts := make(answer, len(chunks))
	for i := range chunks {
		failed.join(chunks[i].failed)
		parts[i] = chunks[i].out
	}
	if failed.count > 0 {
		c.log.Error(nil, "Cannot convert", "to", version, "failed", failed.count, "objects", failed.of, "causes", failed.causes)
		return answer{review.failure(failed.message(review.desired))}, nil
	}
	last := &parts[len(parts)-1]
	*last = appendSuccess(*last)
	return parts, nil
}

// wanted splits a desired apiVersion whose group is served.
func (c *converter) wanted(desired string) (group, version string, err error) {
	group, version, found := strings.Cut(desired, "/")
	if !found || group == "" || version == "" {
		return "", "", fmt.Errorf("desiredAPIVersion %q: must be group/version", shorten(desired, 253))
	}
	return group, version, c.groups.check(group)
}

// chunk converts its objects, one after the other. Behind each but the last of all comes a comma.
func (c *converter) chunk(ctx context.Context, k *chunk, group, version string, o conversion.Options) {
	if k.out == nil {
		k.out = newBuffer(k.bytes)
	}
	for i, object := range k.objects {
		if ctx.Err() != nil {
			return
		}
		var err error
		if k.out, err = c.one(k.out, object, group, version, o); err != nil {
			k.failed.add(k.first+i, err)
			continue
		}
		if i < len(k.objects)-1 || !k.last {
			k.out = append(k.out, ',')
		}
	}
}

// one appends one converted object and counts what happened. An error names the object, and appends nothing.
func (c *converter) one(out, object []byte, group, version string, o conversion.Options) (converted []byte, err error) {
	var report conversion.Report
	result := resultFailed
	defer func() {
		if v := recover(); v != nil {
			c.metrics.panicked("convert", c.log, v)
			report.Header, _ = conversion.ReadHeader(object)
			result, converted = resultPanicked, out
			err = &conversion.Error{Header: report.Header, To: version, Err: errors.New("internal error, see the log of claimbridge")}
		}
		c.metrics.converted(report.Header, version, result)
	}()
	if object == nil {
		return out, errors.New("null is not an object")
	}
	converted, report, err = c.convert(out, object, version, o)
	if err != nil { // what is of another group is told so, whatever else is wrong with it
		if header, unread := conversion.ReadHeader(object); unread != nil || header.Group == group {
			return out, err
		}
	}
	if report.Header.Group != group {
		err := fmt.Errorf("its group is %q, but %q is wanted: a conversion keeps the group", shorten(report.Header.Group, 253), group)
		return out, &conversion.Error{Header: report.Header, To: version, Err: err}
	}
	result = resultConverted
	if report.Header.Version == version {
		result = resultSame
	}
	c.report(report.Header, version, report)
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
