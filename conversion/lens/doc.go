// Package lens shows the objects of a cluster's own resource.k8s.io/v1 in the versions before it, and puts what is written in
// one of them into the object that is stored. It is for a server that has the stored object at hand at every write: nothing
// travels beside an object, neither annotations nor fields of claimbridge.
//
//	Down      what a version shows of a stored object
//	Up        an object of the version as v1, for create
//	Put       what an object of the version changes, in the stored object
//	PutStatus the same for /status
//	Fragment  what a client applies, as v1
//
// Objects are JSON, in and out. [Lens.Down] of v1beta1 and v1beta2 gives what an API server would show that serves these versions
// itself, byte for byte, and so it is with fields of v1 that came after this package: they are where that API server would have
// them. v1alpha1, v1alpha2 and v1alpha3 are converted by package conversion, with nothing left over.
//
// An error is a *[conversion.DecodeError] where the text is no JSON or no such object, which an API server answers with 400, and a
// *[field.Error] where v1 has no place for a value, which it answers with 422. Both have the path of the field in the version of the lens
// and hold no value. What an object may say beyond that is for the rules of its version and for the API server that stores it.
//
// Bounds are those of the caller, who reads so many bytes and no more: time and memory grow with the objects and no faster, and values nest
// at most 10,000 deep, as everywhere in JSON. v1alpha1 to v1alpha3 have those of package conversion beside that.
//
// A write is a merge of three objects, all of v1: the stored one, what the version shows of it, and what was written. Where the last
// two say the same the stored one stays as it is, to the byte, and so does all that the version cannot say. See put.go.
package lens
