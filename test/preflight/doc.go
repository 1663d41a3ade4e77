// Package preflight causes faults in an installation on a real API server, one after the other, and checks the results
// of preflight.
package preflight
