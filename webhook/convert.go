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
	chunks[0].out = review.appendHead(newBuffer(chunks[0].bytes + chunks[0].bytes/2 + maxHead))
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
		k.out = newBuffer(k.bytes + k.bytes/2)
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
			header, _ := conversion.ReadHeader(object)
			report.Version, result, converted = header.Version, resultPanicked, out
			err = &conversion.Error{Header: header, To: version, Err: errors.New("internal error, see the log of claimbridge")}
		}
		c.metrics.converted(report.Version, version, result)
	}()
	if object == nil {
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
	if len(report.Unknown)+len(report.Ignored)+len(report.Lost) == 0 && report.Incomplete == "" {
		return
	}
	if log := c.log.V(2); log.Enabled() {
		h, _ := conversion.ReadHeader(object)
		log.Info("Converted with remarks", "object", objectRef(h), "from", shorten(h.Version, 63), "to", version,
			"unknown", few(report.Unknown), "ignored", few(report.Ignored), "lost", few(report.Lost), "incomplete", report.Incomplete)
	}
}
