// Package jsonconvert converts objects of resource.k8s.io between v1, v1beta2 and v1beta1 without Go types, so that
// fields which are newer than this package are kept. The bridge uses it to convert between the version that a cluster
// serves and the version that a client uses. Nothing is preserved in annotations, and no field of claimbridge is added.
//
// The versions of ResourceClaim, ResourceClaimTemplate, DeviceClass and ResourceSlice have the same content in
// different places. In v1beta1
//
//   - the fields of requests[].exactly are in the request itself, and deviceClassName is always set (request.go);
//   - the fields of a device of a ResourceSlice, except its name, are in basic (slice.go);
//   - a ResourceSlice does not have nodeName: "" and allNodes: false (slice.go).
//
// [Convert] returns an object as an API server that serves the target version would return it, without defaults.
// [ConvertPath] converts the path of a field, and [HasSameFields] reports which parts are the same in two versions.
//
// Objects are valid JSON. Only the objects on the path to a converted field are split into their members. All other
// values are copied as they are written: parameters of drivers keep their bytes, and numbers keep their digits.
//
// An error about the object has the path of the field in the object's own version, and no value of the object except
// its apiVersion and kind. An API server reports it with status 400. Convert checks no more than it needs: the API
// server validates the object.
package jsonconvert
