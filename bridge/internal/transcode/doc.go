// Package transcode translates a request for one version of resource.k8s.io into a request for the version that a
// cluster serves, and the response back.
//
//	ParseTarget           the path names a kind, and an object or a collection              target.go
//	Translator.Translate  checks the Accept header, and selects the operation               translate.go
//	  read, delete        the same request in the served version
//	  create, update      decode the body as JSON, convert the object, send it              body.go
//	  patch               convert an apply patch like an object; forward another patch      patch.go
//	                      if its paths are the same in both versions; otherwise read the    apply_patch.go
//	                      object, apply the patch to it in the requested version, and send
//	                      the converted result
//	  response            convert an object, a list, a table, an event, or field paths of   response.go
//	                      an error; pass everything else through                            list.go, watch.go
//
// Requests keep the host, headers, parameters and credentials of the client. Requests are JSON or protobuf, responses
// are JSON: docs/decisions/0029-what-clients-send.md lists what clients send. Anything else is an error that names the
// alternative.
//
// The API server of the cluster checks everything: permissions, fields, values and conflicts. Writes are sent with
// fieldValidation=Strict, so that the API server rejects unknown fields instead of dropping them. If the client sets
// Ignore, that is kept. The API server's errors are returned unedited, except that details.causes[].field gets the path
// of the field in the requested version.
//
// Nothing is kept between requests.
package transcode
