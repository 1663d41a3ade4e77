// Package preflight checks an installation of claimbridge in a cluster, and whether a cluster is ready for one, like
// `cmctl check api` of cert-manager and `linkerd check` of Linkerd.
//
// [Checks] is the table of all checks, in the order in which they run. [Run] runs them against an API server and
// returns a [Result] for each. It changes nothing: it reads, and writes claims as a dry run. A check whose requests
// fail is [Unknown], which fails a run like a [Problem].
//
// # Add a check
//
// A check is a row of the table and a function in the file of its topic:
//
//	func serviceExists(ctx context.Context, c *cluster) error
//
// The function returns nil if there is no problem. Otherwise it returns the problems, joined with the helper each or
// with [errors.Join]:
//
//   - fmt.Errorf reports a problem,
//   - warning reports a warning,
//   - errors of get and list are returned unchanged, and make the result unknown.
//
// Then write the section of docs/preflight.md with the name of the check, to which its results link, and a fault that
// the check finds in a real API server, in test/preflight/testdata/faults.
package preflight
