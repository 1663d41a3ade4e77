// Package preflight puts faults into a real API server, one after the other, and holds against each
// what preflight says.
package preflight
