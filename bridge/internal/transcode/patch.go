package transcode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// patch sends a patch in one of three ways:
//
//   - An apply request is converted like an object.
//   - A patch whose paths are the same in both versions is forwarded with the served apiVersion.
//   - Any other patch is applied by the bridge, in patchConverted.
//
// The request is always a PATCH, because the client may have permission to patch but not to update.
func (e exchange) patch() (*http.Response, error) {
	patchType := types.PatchType(mediaTypeOf(e.clientRequest.Header))
	switch patchType {
	case types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType, types.ApplyPatchType:
	default:
		return nil, unsupportedMediaType("the bridge does not support patches of type %q: send one of %s", patchType,
			strings.Join([]string{
				string(types.JSONPatchType), string(types.MergePatchType), string(types.StrategicMergePatchType),
				string(types.ApplyPatchType),
			}, ", "))
	}
	patch, err := readBody(e.clientRequest)
	if err != nil {
		return nil, err
	}
	if !json.Valid(patch) {
		if patchType == types.ApplyPatchType {
			return nil, unsupportedMediaType("the bridge does not support YAML: send the object of the apply request as " +
				"JSON, which is also YAML")
		}
		return nil, badRequest("the patch is not JSON")
	}
	if patchType == types.ApplyPatchType {
		object, err := e.toServed(patch)
		if err != nil {
			return nil, err
		}
		return e.send(e.newRequest(http.MethodPatch, object, string(patchType)))
	}
	isObject := bytes.HasPrefix(bytes.TrimSpace(patch), []byte("{"))
	if patchType != types.JSONPatchType && !isObject {
		return nil, badRequest("the patch is not a JSON object")
	}
	forwarded, ok := e.forwardedPatch(patchType, patch)
	if !ok {
		return e.patchConverted(patchType, patch, maxPatchTime)
	}
	return e.send(e.newRequest(http.MethodPatch, forwarded, string(patchType)))
}

// forwardedPatch returns the patch to forward: the client's patch with the served apiVersion. It returns false if a
// path differs between the versions. It also does so if the patch is malformed or names another type: patchConverted
// then reads the object before it returns the error, as an API server does.
func (p versionPair) forwardedPatch(patchType types.PatchType, patch []byte) ([]byte, bool) {
	if patchType == types.JSONPatchType {
		return patch, p.hasSamePaths(patch)
	}
	members, err := rawjson.Members(patch)
	if err != nil {
		return nil, false
	}
	for i, m := range members {
		value := rawjson.String(m.Value)
		switch {
		case m.Name == "apiVersion" && value == jsonconvert.Group+"/"+p.requested:
			members[i].Value = rawjson.Quote(p.servedAPIVersion())
		case m.Name == "kind" && value == p.kind:
		case !jsonconvert.HasSameFields(p.kind, m.Name, p.requested, p.served):
			return nil, false
		}
	}
	return rawjson.Object(members), true
}

// hasSamePaths reports whether the paths in a JSON patch are the same in both versions.
func (p versionPair) hasSamePaths(patch []byte) bool {
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return false
	}
	isSamePath := func(path string) bool {
		segments := strings.Split(path, "/")
		return len(segments) > 1 && segments[0] == "" &&
			jsonconvert.HasSameFields(p.kind, segments[1], p.requested, p.served)
	}
	for _, operation := range operations {
		path, err := operation.Path()
		if err != nil || !isSamePath(path) {
			return false
		}
		if kind := operation.Kind(); kind == "move" || kind == "copy" {
			from, err := operation.From()
			if err != nil || !isSamePath(from) {
				return false
			}
		}
	}
	return true
}

// maxPatchTime is the time limit for a patch with its retries. kube-apiserver has the same limit for a write.
const maxPatchTime = 34 * time.Second

// newBackoff returns 9 pauses from 4 ms to 1 s, each at most doubled by jitter, for a patch that conflicts with other
// writers. An attempt takes some 5 ms.
func newBackoff() wait.Backoff {
	return wait.Backoff{Steps: 9, Duration: 4 * time.Millisecond, Factor: 2, Jitter: 1}
}

// patchConverted reads the object, applies the patch to it in the requested version, and replaces the object with the
// converted result. If another client changed the object meanwhile, it tries again, as an API server does. After the
// timeout, it returns the error of an API server.
func (e exchange) patchConverted(
	patchType types.PatchType, patch []byte, timeout time.Duration,
) (*http.Response, error) {
	clientContext := e.clientRequest.Context()
	// A response needs the context until its body is closed, so only an error cancels the context here.
	ctx, cancel := context.WithTimeout(clientContext, timeout)
	e.clientRequest = e.clientRequest.WithContext(ctx)
	resp, err := e.retryPatch(patchType, patch)
	if err == nil {
		resp, err = e.translateResponse(resp, false)
	}
	if err != nil {
		isTimeout := errors.Is(ctx.Err(), context.DeadlineExceeded) && clientContext.Err() == nil
		cancel()
		if isTimeout {
			return nil, apierrors.NewTimeoutError("the patch was not completed within "+timeout.String(), 0)
		}
		return nil, err
	}
	resp.Body = cancelingBody{resp.Body, cancel}
	return resp, nil
}

// cancelingBody is the body of a response. Close also cancels the context of the request.
type cancelingBody struct {
	io.ReadCloser
	cancel func()
}

func (b cancelingBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// retryPatch repeats tryPatch until there is no conflict, the attempts are used up, or the context ends. It returns the
// last response.
func (e exchange) retryPatch(patchType types.PatchType, patch []byte) (*http.Response, error) {
	for backoff := newBackoff(); ; {
		resp, canRetry, err := e.tryPatch(patchType, patch)
		if err != nil {
			return nil, err
		}
		isConflict := resp.StatusCode == http.StatusConflict
		if !isConflict || !canRetry || backoff.Steps == 0 || !sleep(e.clientRequest.Context(), backoff.Step()) {
			return resp, nil
		}
		_ = resp.Body.Close()
	}
}

// tryPatch reads the object, and replaces it with the patched object. It reports whether a conflict can be retried.
func (e exchange) tryPatch(patchType types.PatchType, patch []byte) (resp *http.Response, canRetry bool, err error) {
	live, failure, err := e.readLive()
	if err != nil || failure != nil {
		return failure, false, err
	}
	object, canRetry, err := e.patchedObject(live, patchType, patch)
	if err != nil {
		return nil, false, err
	}
	resp, err = e.Next.RoundTrip(e.newRequest(http.MethodPatch, replacement(object), string(types.JSONPatchType)))
	return resp, canRetry, err
}

// patchedObject converts an object of the cluster to the requested version, applies a patch, and converts it back. It
// reports whether a conflict can be retried.
func (e exchange) patchedObject(live []byte, patchType types.PatchType, patch []byte) (
	object []byte, canRetry bool, err error,
) {
	if object, err = e.toRequested(live); err != nil {
		return nil, false, fmt.Errorf("convert the object of the cluster to %s: %w", e.requested, err)
	}
	if object, err = e.applyPatch(patchType, object, patch); err != nil {
		return nil, false, err
	}
	if object, canRetry, err = setResourceVersion(object, resourceVersionOf(live)); err != nil {
		return nil, false, invalidPatch(err)
	}
	if object, err = jsonconvert.Convert(object, e.kind, e.requested, e.served); err != nil {
		return nil, false, invalidPatch(err)
	}
	return object, canRetry, nil
}

// sleep pauses. It returns false if the context ends first.
func sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// readLive reads the object of the target in the served version. If the code of the response is not 200, it returns the
// response instead.
func (e exchange) readLive() (object []byte, failure *http.Response, err error) {
	r := e.newRequest(http.MethodGet, nil, "")
	r.URL.RawQuery = ""
	r.Header.Set("Accept", "application/json")
	resp, err := e.Next.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, resp, err
	}
	object, err = readAll(resp)
	return object, nil, err
}

func readAll(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxObjectBytes+1))
	if err == nil && len(body) > maxObjectBytes {
		err = fmt.Errorf("response of the cluster: %w of %d bytes", rawjson.ErrTooLarge, maxObjectBytes)
	}
	return body, err
}

// replacement returns a JSON patch that replaces an object.
func replacement(object []byte) []byte {
	patch := append([]byte(`[{"op":"replace","path":"","value":`), object...)
	return append(patch, "}]"...)
}

func resourceVersionOf(object []byte) string {
	return rawjson.String(rawjson.GetPath(object, "metadata", "resourceVersion"))
}

// setResourceVersion sets the resourceVersion of the live object, unless the patch set another one. It reports whether
// a conflict can be retried. It cannot if the patch set another resourceVersion: the client requires that one.
func setResourceVersion(object []byte, liveVersion string) (_ []byte, canRetry bool, err error) {
	version := resourceVersionOf(object)
	if version != "" && version != "0" {
		return object, version == liveVersion, nil
	}
	object, err = rawjson.Edit(object, []string{"metadata"}, func(metadata []byte) ([]byte, error) {
		members, err := rawjson.Members(metadata)
		if err != nil {
			return nil, err
		}
		resourceVersion := rawjson.Member{Name: "resourceVersion", Value: rawjson.Quote(liveVersion)}
		if i := rawjson.Find(members, resourceVersion.Name); i >= 0 {
			members[i] = resourceVersion
		} else {
			members = append(members, resourceVersion)
		}
		return rawjson.Object(members), nil
	})
	return object, true, err
}
