// Package lens converts the objects of resource.k8s.io between the version that a cluster serves
// and another one that a client speaks. It is for who stands between the two, as the bridge does:
// nothing travels beside an object, neither annotations nor fields of claimbridge.
//
//	Down  what the client's version shows of an object of the cluster
//	Up    an object of the client, or a part of one that it applies, in the cluster's version
//
// Objects are JSON, in and out. Between v1beta1, v1beta2 and v1 Down gives what an API server would
// write that serves the two itself, byte for byte, and Up says what the client says, without
// defaults. So it is with fields of v1 that came after this package: they are where that API server
// would have them. v1alpha1, v1alpha2 and v1alpha3 are views over v1: package conversion shows
// them, with nothing left over, and nothing goes up.
//
// An error is a *[conversion.DecodeError] where the text is no JSON or no such object, which an API
// server answers with 400. It has the path of the field in the version of the text and holds no
// value. What an object may say beyond that is for the rules of its version and for the API server
// that stores it.
//
// Bounds are those of the caller, who reads so many bytes and no more: time and memory grow with
// the objects and no faster, and values nest at most 10,000 deep, as everywhere in JSON. Views have
// those of package conversion beside that.
package lens
