// Package transcode answers requests for old versions of resource.k8s.io from the cluster's own v1. It is the innermost handler of a generic
// API server: the request has been authenticated, authorized and admitted to the audit log when it comes here, and what is asked of the store
// is asked as its caller.
//
//	handler.go  which requests are answered here, and by which of the files below
//	accept.go   the form of answers: JSON or YAML, an object, its metadata or a table
//	read.go     get
//	list.go     lists and tables, one item at a time
//	watch.go    events
//	create.go, update.go, patch.go, apply.go, delete.go
//	decode.go   bodies, as strictly as their sender asks
//	judge.go    the rules of alpha versions, which the store does not know
//	errors.go   refusals, in the words of an API server
//
// Nothing is kept between requests. Objects are JSON as the store has written it, converted by package lens.
package transcode
