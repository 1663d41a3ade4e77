package transcode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api"
)

// fail with an error of an API, as a Status. Any other is the transport's, and the caller's to deal with.
func (c *call) fail(err error) (*http.Response, error) {
	var known apierrors.APIStatus
	if !errors.As(err, &known) {
		return nil, err
	}
	status := statusOf(err)
	header := http.Header{"Cache-Control": {"no-cache, private"}}
	if d := status.Details; d != nil && d.RetryAfterSeconds > 0 {
		header.Set("Retry-After", fmt.Sprint(d.RetryAfterSeconds))
	}
	body, err := json.Marshal(status)
	if err != nil {
		return nil, err
	}
	return c.respondJSON(int(status.Code), header, body)
}

// statusOf an error.
func statusOf(err error) metav1.Status {
	var known apierrors.APIStatus
	if !errors.As(err, &known) {
		known = apierrors.NewInternalError(err)
	}
	status := known.Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	if status.Code == 0 {
		status.Code = http.StatusInternalServerError
	}
	return status
}

// unsaid is the error for an object that the cluster's version cannot say.
func (c *call) unsaid(object []byte, err error) error {
	var known apierrors.APIStatus
	if errors.As(err, &known) {
		return err
	}
	if cause, is := errors.AsType[*field.Error](err); is {
		return apierrors.NewInvalid(c.gvk().GroupKind(), metadataOf(object).name, field.ErrorList{cause})
	}
	return c.unhandled(err)
}

// unhandled is the error for an object that is none of the kind, in the words of an API server.
func (c *call) unhandled(err error) error {
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", c.kind.Kind,
		c.t.Version, c.kind.Kind, err))
}

// unshown is the error for an object that the version cannot show.
func (c *call) unshown(object []byte, err error) error {
	return apierrors.NewInternalError(fmt.Errorf("%s %q cannot be shown in %s: %w", c.kind.Kind,
		metadataOf(object).name, c.t.Version, err))
}

// reword a Status of the cluster: the version that it names is the one that was asked, where the
// caller's request named another. Everything else is passed on.
func (c *call) reword(status []byte) []byte {
	if !bytes.Contains(status, []byte("v1")) {
		return status
	}
	return []byte(c.rewordText(string(status)))
}

// rewordText changes what an API server says of the version of a request, in the forms that its own
// code has, and only those. In a Status the quotes are escaped.
func (c *call) rewordText(text string) string {
	stored, shown := c.stored(), c.gvk().GroupVersion().String()
	for _, name := range []string{
		stored + ", Kind=", " using " + stored + ":", " using " + stored + " at ", " using " + stored + `"`,
	} {
		text = strings.ReplaceAll(text, name, strings.Replace(name, stored, shown, 1))
	}
	for _, quote := range []string{`"`, `\"`} {
		of := func(version string) string {
			return c.kind.Kind + " in version " + quote + version + quote + " cannot be handled as a "
		}
		text = strings.ReplaceAll(text, of(c.Version), of(c.t.Version))
		text = c.rewordFields(text, "unknown field "+quote, quote)
	}
	return untypedField.ReplaceAllStringFunc(text, func(all string) string {
		place := untypedField.FindStringSubmatchIndex(all)
		return all[:place[2]] + c.pathOf(all[place[2]:])
	})
}

// untypedField of a request that is applied, as API servers call it.
var untypedField = regexp.MustCompile(`failed to create typed patch object \([^)]*\): (\.spec\S*)`)

// rewordFields that stand behind a text, in quotes.
func (c *call) rewordFields(text, begin, quote string) string {
	parts := strings.Split(text, begin)
	for i, part := range parts[1:] {
		if end := strings.Index(part, quote); end >= 0 {
			parts[i+1] = c.pathOf(part[:end]) + part[end:]
		}
	}
	return strings.Join(parts, begin)
}

// isFlat reports whether a version has requests without `exactly`, and devices with `basic`, unlike the other versions
// that the bridge writes.
func isFlat(version string) bool { return api.IsNative(version) && !api.HasExactly(version) }

var (
	ofRequest = regexp.MustCompile(`(\.devices\.requests\[\d+\])\.(\w+)`)
	ofDevice  = regexp.MustCompile(`^(\.?spec\.devices\[\d+\])\.(\w+)`)
)

// pathOf a field of the cluster's version in the one that was asked for.
func (c *call) pathOf(path string) string {
	isSlice := c.kind.Kind == "ResourceSlice"
	switch {
	case isFlat(c.Version) && !isSlice:
		return ofRequest.ReplaceAllStringFunc(path, func(match string) string {
			at := strings.LastIndexByte(match, '.')
			return match[:at+1] + strings.Join(api.RequestFieldPath(c.t.Version, match[at+1:]), ".")
		})
	case isFlat(c.t.Version) && !isSlice:
		return withoutLast(ofRequest, "exactly", path)
	case isFlat(c.t.Version):
		return ofDevice.ReplaceAllStringFunc(path, func(match string) string {
			at := strings.LastIndexByte(match, '.')
			if match[at+1:] == "name" {
				return match
			}
			return match[:at] + ".basic" + match[at:]
		})
	case isFlat(c.Version):
		return withoutLast(ofDevice, "basic", path)
	}
	return path
}

// withoutLast drops a name in a path if a match of the pattern ends with it.
func withoutLast(pattern *regexp.Regexp, name, path string) string {
	return pattern.ReplaceAllStringFunc(path, func(match string) string { return strings.TrimSuffix(match, "."+name) })
}
