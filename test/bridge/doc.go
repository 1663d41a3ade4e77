// Package bridge tests package bridge and claimbridge proxy on real API servers.
//
// All control planes have the same release. One API server, the reference, serves v1, v1beta2 and v1beta1. Each of the
// others serves one version, and gets requests for the other versions through a bridge. Responses must be equal to
// those of the reference, except for values that always differ, such as names and times, and the intended differences
// (intended_differences_test.go).
//
// The files in testdata/scenarios have one section for each scenario. A line is a step:
//
//	VERB PATH BODY              get, create, put, remove, patch, json, merge, strategic, apply, or a method
//	watch NAME PATH             opens a watch
//	events NAME COUNT           reads events of a watch; 0 for all until the server ends it
//
// Indented lines below a request are its options, and # begins a comment:
//
//	by USER, sending TYPE, accepting TYPES, with HEADER VALUE
//	spaces N                    a body of N spaces
//	compressed                  the body is compressed with gzip
//	| TEXT                      adds a line to the body
//
// Paths begin with claims, all-claims, templates, all-templates, classes or slices, or with a slash. Variables in angle
// brackets have values of the session and of earlier responses (session_test.go).
package bridge
