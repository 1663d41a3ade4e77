package transcode

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

var patchTypes = []string{
	string(types.JSONPatchType),
	string(types.MergePatchType),
	string(types.StrategicMergePatchType),
	string(types.ApplyYAMLPatchType),
}

// patchType returns the type of the patch. An unknown type is rejected first, as in API servers.
func (c *call) patchType() (types.PatchType, error) {
	contentType, _, _ := strings.Cut(c.r.Header.Get("Content-Type"), ";")
	if !slices.Contains(patchTypes, strings.TrimSpace(contentType)) {
		return "", apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "", schema.GroupResource{}, "",
			"415: Unsupported Media Type", 0, false)
	}
	return types.PatchType(strings.TrimSpace(contentType)), nil
}

// patch forwards a patch unchanged if its paths are the same in both versions. Otherwise it sends a patch that has the
// same effect as the client's patch on the projection of the object. It sends a patch in both cases, because the client
// may have permission to patch but not to update.
func (c *call) patch() (*http.Response, error) {
	form, err := c.patchType()
	if err != nil {
		return nil, err
	}
	body, err := c.body(string(form))
	if err != nil {
		return nil, err
	}
	if form == types.ApplyYAMLPatchType {
		return c.apply(body)
	}
	if !isPatch(form, body, c.fieldValidation()) { // the cluster says why
		return c.forward(c.request(http.MethodPatch, body, string(form)))
	}
	if forwarded, same := c.forwarded(form, body); same {
		resp, err := c.Next.RoundTrip(c.strict(c.request(http.MethodPatch, forwarded, string(form))))
		if err != nil {
			return nil, err
		}
		if !c.refusedPatch(resp) {
			return c.answer(resp)
		}
		_ = resp.Body.Close() // it quotes the object, which is to be that of the version, or does not know a field
	}
	return c.patchShown(form, body)
}

// refusedPatch tells whether an answer is about what a patch makes of an object. The answer can still be read.
func (c *call) refusedPatch(resp *http.Response) bool {
	if resp.StatusCode != http.StatusUnprocessableEntity && resp.StatusCode != http.StatusBadRequest {
		return false
	}
	status := peekStatus(resp)
	return isStrict(status) || status.Details != nil && len(status.Details.Causes) > 0 &&
		status.Details.Causes[0].Field == "patch"
}

const (
	// maxTries of a patch that others are faster than. An API server tries for as long as the
	// request may last. Of n writers at once one in n wins a try: with 8, as kube-apiserver's own
	// tests have, 50 tries fail once in 800 writes without a pause between them; pauses that differ
	// make it far rarer.
	maxTries = 50
	// maxWrite is how long they may last, as long as kube-apiserver gives a write.
	maxWrite = 34 * time.Second
	// Pauses between tries are random and at most this; the first ones are shorter. A read and a write take some 5 ms.
	firstPause, longestPause = 4 * time.Millisecond, 100 * time.Millisecond
)

// patchShown patches what the version shows of the object, and sends what becomes of it by that: as
// one operation that replaces all of it, and that another writer's change makes a conflict, by the
// resourceVersion.
func (c *call) patchShown(form types.PatchType, patch []byte) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(c.r.Context(), maxWrite)
	defer cancel()
	pause := firstPause
	for try := 1; ; try++ {
		resp, mine, err := c.patchOnce(form, patch)
		if err != nil {
			return nil, err
		}
		if !mine || try == maxTries || resp.StatusCode != http.StatusConflict || !overtaken(resp) {
			return c.answer(resp)
		}
		_ = resp.Body.Close()
		select {
		case <-ctx.Done():
			return nil, apierrors.NewTimeoutError("conflicts with other writers until the deadline", 0)
		case <-time.After(rand.N(pause)): //nolint:gosec // so that writers do not meet again
		}
		pause = min(2*pause, longestPause)
	}
}

// patchOnce; mine tells that a conflict is with the version of the object that was read here, and
// not with one that the patch names.
func (c *call) patchOnce(form types.PatchType, patch []byte) (_ *http.Response, mine bool, err error) {
	read := c.request(http.MethodGet, nil, "")
	read.URL.RawQuery = ""
	read.Header.Set("Accept", "application/json")
	resp, err := c.Next.RoundTrip(read)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, false, err
	}
	live, err := c.readAll(resp)
	if err != nil {
		return nil, false, err
	}
	shown, err := c.toRequested(live)
	if err != nil {
		return nil, false, c.unshown(live, err)
	}
	made, excused, err := c.patched(form, shown, patch)
	if err != nil {
		return nil, false, err
	}
	was, wanted := metadataOf(shown).resourceVersion, metadataOf(made.json)
	if err := c.named(wanted); err != nil {
		return nil, false, err
	}
	if wanted.resourceVersion == "" || wanted.resourceVersion == "0" {
		if made.json, err = ofVersion(made.json, was); err != nil {
			return nil, false, err
		}
		wanted.resourceVersion = was
	}
	request := func(stored []byte) *http.Request {
		body := append([]byte(`[{"op":"replace","path":"","value":`), stored...)
		return c.request(http.MethodPatch, append(body, "}]"...), string(types.JSONPatchType))
	}
	if excused { // the cluster is newer than these types, and drops nothing that they have
		converted, err := c.toServed(made.json)
		if err != nil {
			return nil, false, err
		}
		resp, err = c.Next.RoundTrip(request(converted))
		return resp, wanted.resourceVersion == was, err
	}
	resp, err = c.write(made, request)
	return resp, wanted.resourceVersion == was, err
}

// overtaken tells whether a conflict is that another writer was faster. The answer can still be read.
func overtaken(resp *http.Response) bool {
	return strings.HasSuffix(peekStatus(resp).Message,
		"the object has been modified; please apply your changes to the latest version and try again")
}

// ofVersion gives an object for whatever version that of the one that was read, so that this one is
// changed and no later one.
func ofVersion(object []byte, resourceVersion string) ([]byte, error) {
	return replace(nil, object, "metadata", func(out, metadata []byte) ([]byte, error) {
		rest, err := without(metadata, "resourceVersion")
		if err != nil {
			return out, err
		}
		out = append(out, rest[:len(rest)-1]...)
		if len(rest) > len("{}") {
			out = append(out, ',')
		}
		return append(append(out, `"resourceVersion":"`+resourceVersion+`"`...), '}'), nil
	})
}
