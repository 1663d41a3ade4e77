// Package preserve keeps the v1 data of a claim that v1alpha1, v1alpha2 or v1alpha3 cannot represent.
//
// A copy is an object that was converted from a later version to one of these versions. It has the v1 spec or the v1
// status of the claim as JSON, each if the reverse conversion would not return it ([Store]). When the copy is written,
// [Extract] removes the data and [Restore] returns the v1 claim: a part that the client did not edit is replaced by the
// preserved part, verbatim. An edited spec replaces the preserved spec. An edited status is merged into the preserved
// status.
//
// # Where data is kept, and why a forgery gains nothing
//
// In a write of the main resource, metadata and spec come from the client, and the status comes from the stored object.
// In a write of /status, the status comes from the client, and the rest comes from the stored object. The API server
// converts the stored object to the version of the request first. So each place is written by the client or by
// claimbridge:
//
//	place                                  write of the main resource   write of /status
//	annotation claimbridge.dev/v1-spec     client                       claimbridge
//	annotation claimbridge.dev/v1-status   client                       claimbridge
//	label and annotation                   client                       claimbridge
//	  claimbridge.dev/incomplete-digest
//	labels claimbridge.dev/incomplete      client                       claimbridge
//	  and claimbridge.dev/incomplete-bytes
//	status.claimbridgeLeftover             claimbridge                  client; a typed client drops it
//
// Only [Store] and [MarkTooLarge] write these places. Data that only an older version can represent is in configuration
// entries of the v1 claim, which package hub writes.
//
// The status is kept twice, in the annotation and in the field: in each write exactly one of them is authentic. The
// field takes precedence. If the client dropped the field or it is malformed, the annotation is used: a write of
// /status cannot change it.
//
// The spec is kept in the annotation. A client that can write it can also write the spec. If the annotations have no
// room for the spec, it is kept in the field, and its digest in a label, and in an annotation if that fits. The spec
// is used only if field and digest agree: a write of /status cannot change the digest, and a write of the main resource
// cannot change the field. An object without a uid needs no digest: no API server stores it.
//
// A template has no status. Its annotations are those of spec.metadata, from where controllers copy them to claims.
//
// # Limits
//
// An API server allows 256 KiB for the annotations of an object, even when it reads the object. Data that does not fit
// is omitted, and the label claimbridge.dev/incomplete names the omitted parts. Such a copy can be read. Writing it is
// rejected with [ErrIncomplete] only if a part that the object still needs cannot be restored from the field.
package preserve
