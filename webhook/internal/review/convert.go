package review

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
	"github.com/claimbridge/claimbridge/webhook/internal/loglimit"
	"github.com/claimbridge/claimbridge/webhook/internal/metrics"
)

// converter responds to ConversionReviews.
type converter struct {
	Options
	// failures limits the log lines about failed conversions.
	failures *loglimit.Limiter
	// convert is conversion.AppendConverted.
	convert func(out, object []byte, version string, o conversion.Options) ([]byte, conversion.Report, error)
}

// review responds to a ConversionReview of either version: their fields are the same. An error is an HTTP error. A
// conversion that fails is not an error but a response with the status Failure.
func (c *converter) review(ctx context.Context, r *http.Request, body []byte) ([]byte, error) {
	var review apiextensionsv1.ConversionReview
	if err := decodeReview(body, &review); err != nil {
		return nil, err
	}
	hasRequest := review.Request != nil
	if !hasRequest {
		review.Request = &apiextensionsv1.ConversionRequest{}
	}
	err := checkReview(review.Kind, review.APIVersion, "ConversionReview", apiextensionsv1.GroupName,
		string(review.Request.UID), hasRequest)
	if err != nil {
		return nil, err
	}
	// The response is appended and not marshaled: an encoder scans each object again, which takes a third of the time
	// of a call.
	const head = `{"kind":"ConversionReview","response":{"convertedObjects":[`
	out := append(make([]byte, 0, len(body)+len(body)/2+len(head)), head...)
	out, err = c.convertObjects(ctx, out, review.Request, conversion.Options{TrimMetadata: c.trimsMetadata(r)})
	if err == nil {
		out = append(out, `],"result":{"status":"Success"`...)
	} else {
		out = appendString(append(out[:len(head)], `],"result":{"status":"Failure","message":`...), err.Error())
	}
	out = appendString(append(out, `},"uid":`...), string(review.Request.UID))
	out = appendString(append(out, `},"apiVersion":`...), review.APIVersion)
	return append(out, '}'), nil
}

// appendString appends a JSON string. It replaces invalid UTF-8.
func appendString(out []byte, text string) []byte {
	out, _ = jsontext.AppendQuote(out, text)
	return out
}

// trimsMetadata reports whether a client gets only the metadata that an API server reads.
func (c *converter) trimsMetadata(r *http.Request) bool {
	return !c.KeepMetadata && strings.HasPrefix(r.UserAgent(), "kube-apiserver-admission")
}

// convertObjects appends all objects of a request, converted and separated by commas. The error names each object that
// cannot be converted.
func (c *converter) convertObjects(ctx context.Context, out []byte, request *apiextensionsv1.ConversionRequest,
	o conversion.Options,
) ([]byte, error) {
	failed := failures{desired: request.DesiredAPIVersion, objects: len(request.Objects)}
	group, version, err := c.desiredGroupVersion(request.DesiredAPIVersion)
	if err != nil {
		failed.review = err
		c.logFailures(failed, version)
		return out, failed
	}
	begin := len(out)
	for i, object := range request.Objects {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if len(out) > begin {
			out = append(out, ',')
		}
		out, err = c.convertObject(out, object.Raw, group, version, o)
		if err != nil {
			failed.add(i, err)
		}
		if failed.count > 0 { // the other objects are converted for their errors only
			out = out[:begin]
		}
	}
	if failed.count > 0 {
		c.logFailures(failed, version)
		return out, failed
	}
	return out, nil
}

// desiredGroupVersion splits a desired apiVersion, whose group must be served.
func (c *converter) desiredGroupVersion(desired string) (group, version string, err error) {
	group, version, found := strings.Cut(desired, "/")
	if !found || group == "" || version == "" {
		return "", "", fmt.Errorf("desiredAPIVersion %q: must be group/version", httperror.Truncate(desired, 253))
	}
	return group, version, c.Groups.check(group)
}

// convertObject appends one converted object, counts the result, and recovers from a panic. An error names the object.
func (c *converter) convertObject(out, object []byte, group, version string, o conversion.Options) (
	converted []byte, err error,
) {
	var report conversion.Report
	result := metrics.ResultFailed
	defer func() {
		if v := recover(); v != nil {
			c.Metrics.ReportPanic("convert", c.Logger, v)
			header, _ := conversion.ReadHeader(object)
			report.Version = header.Version
			result = metrics.ResultPanicked
			converted = out
			err = &conversion.Error{
				Header: header,
				To:     version,
				Err:    errors.New("internal error, see the log of claimbridge"),
			}
		}
		c.Metrics.CountConversion(report.Version, version, result)
	}()
	if string(object) == "null" {
		return out, errors.New("null is not an object")
	}
	converted, report, err = c.convert(out, object, version, o)
	if err != nil {
		header, headerErr := conversion.ReadHeader(object)
		report.Version = header.Version
		if headerErr == nil && header.Group != group { // this error explains any other
			err = groupError(header, group, version)
		}
		return out, err
	}
	if report.Group != group {
		header, _ := conversion.ReadHeader(object)
		header.Group = report.Group
		return out, groupError(header, group, version)
	}
	result = metrics.ResultConverted
	if report.Version == version {
		result = metrics.ResultSame
	}
	c.report(object, version, report)
	return converted, nil
}

// groupError returns the error for an object of another group than the requested one.
func groupError(header conversion.Header, group, version string) error {
	err := fmt.Errorf("its group is %q, but %q was requested: a conversion keeps the group",
		httperror.Truncate(header.Group, 253), group)
	return &conversion.Error{Header: header, To: version, Err: err}
}

// report counts and logs the dropped, ignored, stale and lost data of a conversion: paths of fields, never values.
func (c *converter) report(object []byte, version string, report conversion.Report) {
	c.Metrics.CountReport(version, report)
	if len(report.Unknown)+len(report.Ignored)+len(report.Stale)+len(report.Lost) == 0 && report.Incomplete == "" {
		return
	}
	if log := c.Logger.V(2); log.Enabled() {
		header, _ := conversion.ReadHeader(object)
		log.Info("Converted with warnings", "object", logName(header.Namespace, header.Name),
			"from", httperror.Truncate(header.Version, 63), "to", version,
			"unknown", firstTen(report.Unknown), "ignored", firstTen(report.Ignored), "stale", firstTen(report.Stale),
			"lost", firstTen(report.Lost), "incomplete", report.Incomplete)
	}
}

// logFailures logs why a review failed, with names and paths and without values.
func (c *converter) logFailures(failed failures, version string) {
	omitted, ok := c.failures.AllowLine()
	if !ok {
		return
	}
	c.Logger.Error(nil, "Cannot convert", "to", httperror.Truncate(version, 63), "failed", failed.count,
		"objects", failed.objects, "causes", failed.all(), "omitted", omitted)
}
