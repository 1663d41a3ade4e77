// Package unstructured converts objects of resource.k8s.io between versions without Go types, so that fields which are
// newer than this package are kept. The bridge uses it to convert between the version that a cluster serves and the
// version that a client uses. Nothing is preserved in annotations, and no field of claimbridge is added.
//
// v1beta1, v1beta2 and v1 of ResourceClaim, ResourceClaimTemplate, DeviceClass and ResourceSlice convert into each
// other. They have the same content in different places. In v1beta1
//
//   - the fields of requests[].exactly are in the request itself, and deviceClassName is always set (request.go);
//   - the fields of a device of a ResourceSlice, except its name, are in basic (slice.go);
//   - a ResourceSlice does not have nodeName: "" and allNodes: false (slice.go).
//
// [Convert] gives v1 objects of an API server the content that an API server which serves the other version writes. It
// sets no defaults. [ConvertReferences] converts the versions in the metadata of an object that is to be written.
//
// Claims and templates of v1 also convert into v1alpha1, v1alpha2 and v1alpha3, through package conversion. These
// projections are for reading: fields without a counterpart are dropped, and there is no reverse conversion.
//
// Objects are JSON. Only the objects on the path to a converted field are split into their members. All other values
// are copied as they are written: parameters of drivers keep their bytes, and numbers keep their digits.
//
// An error about the object is a *[conversion.DecodeError] with the path of the field in the object's own version. It
// never contains a value, and an API server reports it with status 400. Convert checks no more than it needs: it
// is for the API server to validate the object.
//
// The caller limits the size of objects. Time and memory are proportional to it, and values nest at most 10,000
// levels deep, as in encoding/json.
package unstructured
