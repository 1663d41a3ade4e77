package transcode

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/claimbridge/claimbridge/bridge/internal/rawjson"
	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// patch forwards a patch if its paths are the same in both versions. Otherwise it sends a patch that has the same
// effect as the client's patch on the object in the requested version. It sends a patch in both cases, because the
// client may have permission to patch but not to update.
func (c Cluster) patch(r *http.Request, t Target, x translation) (*http.Response, error) {
	patchType := types.PatchType(mediaTypeOf(r.Header))
	switch patchType {
	case types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType, types.ApplyPatchType:
	default:
		return nil, unsupportedMediaType("the bridge does not support patches of type %q: send one of %s", patchType,
			strings.Join([]string{
				string(types.JSONPatchType), string(types.MergePatchType), string(types.StrategicMergePatchType),
				string(types.ApplyPatchType),
			}, ", "))
	}
	patch, err := readBody(r)
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
		object, err := x.toServed(patch)
		if err != nil {
			return nil, err
		}
		return c.send(c.newRequest(r, t, r.Method, object, string(patchType)), t, x)
	}
	isObject := bytes.HasPrefix(bytes.TrimSpace(patch), []byte("{"))
	if patchType != types.JSONPatchType && !isObject {
		return nil, badRequest("the patch is not a JSON object")
	}
	forwarded, ok := x.forwardedPatch(patchType, patch)
	if !ok {
		return c.patchConverted(r, t, x, patchType, patch)
	}
	return c.send(c.newRequest(r, t, r.Method, forwarded, string(patchType)), t, x)
}

// forwardedPatch returns a patch that has the same meaning for the object in the served version: the patch itself, with
// the served apiVersion. It returns false if a path of the patch differs between the versions.
func (x translation) forwardedPatch(patchType types.PatchType, patch []byte) ([]byte, bool) {
	if patchType == types.JSONPatchType {
		return patch, x.hasSamePaths(patch)
	}
	members, err := rawjson.Members(patch)
	if err != nil {
		return nil, false
	}
	for i, m := range members {
		value := rawjson.String(m.Value)
		switch {
		case m.Name == "apiVersion" && value == unstructured.Group+"/"+x.requested:
			members[i].Value = rawjson.Quote(x.servedAPIVersion())
		case m.Name == "kind" && value == x.kind:
		case !unstructured.HasSameFields(x.kind, m.Name, x.requested, x.served):
			return nil, false
		}
	}
	return rawjson.Object(members), true
}

// hasSamePaths reports whether the paths in a JSON patch are the same in both versions.
func (x translation) hasSamePaths(patch []byte) bool {
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return false
	}
	isSame := func(path string) bool {
		segments := strings.Split(path, "/")
		return len(segments) > 1 && segments[0] == "" &&
			unstructured.HasSameFields(x.kind, segments[1], x.requested, x.served)
	}
	for _, operation := range operations {
		path, err := operation.Path()
		if err != nil || !isSame(path) {
			return false
		}
		if kind := operation.Kind(); kind == "move" || kind == "copy" {
			from, err := operation.From()
			if err != nil || !isSame(from) {
				return false
			}
		}
	}
	return true
}

// maxPatchTime is the time limit for a patch with its retries. It is that of kube-apiserver for a write.
const maxPatchTime = 34 * time.Second

// newBackoff returns the pauses between the tries of a patch that conflicts with other writers. A try takes some 5 ms.
func newBackoff() wait.Backoff {
	return wait.Backoff{Steps: 12, Duration: 4 * time.Millisecond, Factor: 2, Jitter: 1, Cap: 2 * time.Second}
}

// patchConverted reads the object, applies the patch to it in the requested version, and replaces the object by the
// converted result. If another client changed the object meanwhile, it tries again, as an API server does.
func (c Cluster) patchConverted(
	r *http.Request, t Target, x translation, patchType types.PatchType, patch []byte,
) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(r.Context(), maxPatchTime)
	defer cancel()
	for backoff := newBackoff(); ; {
		resp, canRetry, err := c.tryPatch(r, t, x, patchType, patch)
		if err != nil {
			return nil, err
		}
		isConflict := resp.StatusCode == http.StatusConflict
		if !isConflict || !canRetry || backoff.Steps == 0 || !sleep(ctx, backoff.Step()) {
			return x.response(resp, false)
		}
		_ = resp.Body.Close()
	}
}

// tryPatch reads and replaces the object once. It reports whether a conflict can be retried.
func (c Cluster) tryPatch(
	r *http.Request, t Target, x translation, patchType types.PatchType, patch []byte,
) (resp *http.Response, canRetry bool, err error) {
	live, failure, err := c.readLive(r, t)
	if err != nil || failure != nil {
		return failure, false, err
	}
	object, err := x.toRequested(live)
	if err != nil {
		return nil, false, err
	}
	patched, err := x.applyPatch(patchType, object, patch)
	if err != nil {
		return nil, false, err
	}
	patched, canRetry, err = setResourceVersion(patched, resourceVersionOf(live))
	if err != nil {
		return nil, false, invalidPatch(err)
	}
	converted, err := unstructured.Convert(patched, x.kind, x.requested, x.served)
	if err != nil {
		return nil, false, invalidPatch(err)
	}
	resp, err = c.Next.RoundTrip(c.newRequest(r, t, r.Method, replacement(converted), string(types.JSONPatchType)))
	return resp, canRetry, err
}

// sleep waits for a time. It returns false if the context ends before.
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

// readLive reads the object of a target in the served version. It returns the response if it is not an object.
func (c Cluster) readLive(r *http.Request, t Target) (object []byte, failure *http.Response, err error) {
	read := c.newRequest(r, t, http.MethodGet, nil, "")
	read.URL.RawQuery = ""
	read.Header.Set("Accept", "application/json")
	resp, err := c.Next.RoundTrip(read)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, resp, err
	}
	object, err = readAll(resp)
	return object, nil, err
}

func readAll(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxObject+1))
	if err == nil && len(body) > maxObject {
		err = rawjson.ErrTooLarge
	}
	return body, err
}

// replacement returns a JSON patch that replaces an object.
func replacement(object []byte) []byte {
	patch := append([]byte(`[{"op":"replace","path":"","value":`), object...)
	return append(patch, "}]"...)
}

func resourceVersionOf(object []byte) (version string) {
	_, _ = rawjson.Edit(object, []string{"metadata", "resourceVersion"}, func(text []byte) ([]byte, error) {
		version = rawjson.String(text)
		return text, nil
	})
	return version
}

// setResourceVersion sets the version of the object that was read, unless the patch sets another one. It reports
// whether the object has the version that was read, so that a conflict can be retried.
func setResourceVersion(object []byte, version string) (_ []byte, isRead bool, err error) {
	patched := resourceVersionOf(object)
	if patched != "" && patched != "0" {
		return object, patched == version, nil
	}
	object, err = rawjson.Edit(object, []string{"metadata"}, func(metadata []byte) ([]byte, error) {
		members, err := rawjson.Members(metadata)
		if err != nil {
			return nil, err
		}
		resourceVersion := rawjson.Member{Name: "resourceVersion", Value: rawjson.Quote(version)}
		if i := rawjson.Find(members, resourceVersion.Name); i >= 0 {
			members[i] = resourceVersion
		} else {
			members = append(members, resourceVersion)
		}
		return rawjson.Object(members), nil
	})
	return object, true, err
}
