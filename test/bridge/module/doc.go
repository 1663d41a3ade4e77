// Package module tests the bridge as a Go module: with several versions of client-go, in a driver that is built with an
// older release, and as a dependency of the commands that users install.
package module
