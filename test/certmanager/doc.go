// Package certmanager builds cert-manager's own code as a program, of a module of its own: it needs other releases of what
// claimbridge is built with.
package certmanager
