package transcode

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// maxOperations is the limit of kube-apiserver for a JSON patch.
const maxOperations = 10_000

// A JSON patch can copy an object into itself, so that 40 operations would make 2^40 objects. The library has one limit
// for the whole program, which kube-apiserver also sets.
var _ = atomic.CompareAndSwapInt64(&jsonpatch.AccumulatedCopySizeLimit, 0, maxBody)

// applyPatch applies a patch to an object in the requested version. The libraries panic for some invalid patches, such
// as one that replaces an object by null.
func (p versionPair) applyPatch(patchType types.PatchType, object, patch []byte) (patched []byte, err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			err = unprocessable(fmt.Errorf("invalid %s: its result is not an object", patchType))
		}
	}()
	switch patchType {
	case types.JSONPatchType:
		patched, err = applyJSONPatch(object, patch)
	case types.MergePatchType:
		if patched, err = jsonpatch.MergePatch(object, patch); err != nil {
			return nil, badRequest("invalid merge patch: %v", err)
		}
	default:
		patched, err = p.applyStrategicMergePatch(object, patch)
	}
	if err == nil && len(patched) > maxObject {
		err = unprocessable(errors.New("the patched object is too large"))
	}
	return patched, err
}

func applyJSONPatch(object, patch []byte) ([]byte, error) {
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, badRequest("invalid JSON patch: %v", err)
	}
	if len(operations) > maxOperations {
		return nil, tooLarge("the JSON patch has %d operations, which exceeds the limit of %d", len(operations),
			maxOperations)
	}
	patched, err := operations.Apply(object)
	if err != nil {
		return nil, unprocessable(err)
	}
	return patched, nil
}

// applyStrategicMergePatch needs the Go type of the object, whose tags say how lists are merged. With the
// library, the program that sends such a patch has the type, because its client-go registers it. The proxy has the
// types of the client-go that it is built with.
func (p versionPair) applyStrategicMergePatch(object, patch []byte) ([]byte, error) {
	typed, err := scheme.Scheme.New(p.requestedGVK())
	if err != nil {
		return nil, unsupportedMediaType("the client-go of the bridge has no Go type for %s, which it needs for a "+
			"strategic merge patch: send a merge patch (%s)", p.requestedGVK(), types.MergePatchType)
	}
	original := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(object, &original); err != nil {
		return nil, err
	}
	change := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(patch, &change); err != nil {
		return nil, badRequest("invalid strategic merge patch: %v", err)
	}
	patched, err := strategicpatch.StrategicMergeMapPatch(original, change, typed)
	if err != nil {
		return nil, unprocessable(err)
	}
	return json.Marshal(patched)
}
