// Package preflight causes faults in a real API server, one after the other, and checks the results of preflight.
package preflight
