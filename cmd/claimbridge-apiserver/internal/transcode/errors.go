package transcode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// fail with an error, as a Status.
func (c *call) fail(err error) {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		err = apierrors.NewTimeoutError("request did not complete within requested timeout - "+context.DeadlineExceeded.Error(), 0)
	}
	c.outcome.Code = responsewriters.ErrorNegotiated(err, answers, c.GroupVersionKind().GroupVersion(), c.w, c.r)
}

// unsaid is the error for an object that v1 cannot say.
func (c *call) unsaid(object []byte, err error) error {
	var known apierrors.APIStatus
	if errors.As(err, &known) {
		return err
	}
	var cause *field.Error
	if errors.As(err, &cause) {
		return apierrors.NewInvalid(c.GroupVersionKind().GroupKind(), metadataOf(object).name, field.ErrorList{cause})
	}
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", c.Kind.Kind, c.Version, c.Kind.Kind, err))
}

// unshown is the error for a stored object that the version cannot show.
func (c *call) unshown(object []byte, err error) error {
	return apierrors.NewInternalError(fmt.Errorf("%s %q cannot be shown in %s: %w", c.Kind.Kind, metadataOf(object).name, c.Version, err))
}

// reword a Status of the store: the version that it names is v1, where the caller's request named another. Everything else is passed on.
func (c *call) reword(status []byte) []byte {
	if !bytes.Contains(status, []byte("v1")) {
		return status
	}
	return []byte(c.rewordText(string(status)))
}

// rewordText changes what an API server says of the version of a request, in the forms that its own code has, and only those. In a Status
// the quotes are escaped.
func (c *call) rewordText(text string) string {
	apiVersion := c.GroupVersionKind().GroupVersion().String()
	for _, name := range []string{stored + ", Kind=", " using " + stored + ":", " using " + stored + " at ", " using " + stored + `"`} {
		text = strings.ReplaceAll(text, name, strings.Replace(name, stored, apiVersion, 1))
	}
	for _, quote := range []string{`"`, `\"`} {
		text = strings.ReplaceAll(text, c.Kind.Kind+" in version "+quote+"v1"+quote+" cannot be handled as a ",
			c.Kind.Kind+" in version "+quote+c.Version+quote+" cannot be handled as a ")
		if c.Version == "v1beta1" && c.Kind.Kind != "DeviceClass" {
			text = untypedField.ReplaceAllString(rewordFields(text, quote), "$1")
		}
	}
	return text
}

// untypedField of a request that is applied, as the store calls it.
var untypedField = regexp.MustCompile(`(failed to create typed patch object \([^)]*\): (?:\.spec)?\.spec\.devices\.requests\[\d+\]\.)exactly\.`)

// rewordFields of requests, which v1beta1 has beside their name: unknown field "spec.devices.requests[0].exactly.colour".
func rewordFields(text, quote string) string {
	begin := "unknown field " + quote
	parts := strings.Split(text, begin)
	for i, part := range parts[1:] {
		if end := strings.Index(part, quote); end >= 0 {
			parts[i+1] = strings.Replace(part[:end], "].exactly.", "].", 1) + part[end:]
		}
	}
	return strings.Join(parts, begin)
}
