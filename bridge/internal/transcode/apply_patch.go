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

// This limits the bytes that a JSON patch copies. It can copy an object into itself, so that 40 operations would create
// 2^40 objects. The library has one limit for the whole program. kube-apiserver sets it too.
var _ = atomic.CompareAndSwapInt64(&jsonpatch.AccumulatedCopySizeLimit, 0, maxBodyBytes)

// applyPatch applies a patch to an object in the requested version. It recovers from panics: the libraries panic for
// some invalid patches, such as one that replaces an object with null.
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
	if err == nil && len(patched) > maxObjectBytes {
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

// applyStrategicMergePatch applies a strategic merge patch. It needs the Go type of the object, whose tags say how
// lists are merged: see decodeProtobuf.
func (p versionPair) applyStrategicMergePatch(object, patch []byte) ([]byte, error) {
	typed, err := scheme.Scheme.New(p.requestedGVK())
	if err != nil {
		return nil, unsupportedMediaType("the client-go of the bridge has no Go type for %s, which it needs for a "+
			"strategic merge patch: send a merge patch (%s)", p.requestedGVK(), types.MergePatchType)
	}
	objectMap := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(object, &objectMap); err != nil {
		return nil, err
	}
	patchMap := map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(patch, &patchMap); err != nil {
		return nil, badRequest("invalid strategic merge patch: %v", err)
	}
	patched, err := strategicpatch.StrategicMergeMapPatch(objectMap, patchMap, typed)
	if err != nil {
		return nil, unprocessable(err)
	}
	return json.Marshal(patched)
}
