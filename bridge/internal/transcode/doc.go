// Package transcode answers requests for a version of resource.k8s.io from another one, which the
// cluster serves: each with one request of the same caller, sent where theirs would have gone. A
// patch of what the two versions write in different ways takes a GET and a PATCH, and again after a
// conflict.
//
//	call.go    one request, and what is sent for it
//	path.go    which paths there are, and what answers them
//	accept.go  the form of answers: JSON or YAML, an object, its metadata or a table
//	answer.go  objects; list.go lists and tables; watch.go events
//	write.go   create and update; patch*.go and apply.go patches
//	decode.go  bodies, as strictly as their sender asks
//	release.go what the cluster's release cannot say
//	errors.go  refusals, in the words of an API server
//
// Nothing is kept between requests. Objects are JSON as the cluster has written it, converted by package unstructured.
package transcode
