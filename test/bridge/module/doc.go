// Package module holds the tests of the bridge as a Go module: with several versions of client-go, in a driver that is
// built with an older release, and installed with the commands.
package module
