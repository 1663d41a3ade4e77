// Package cli contains the commands of claimbridge, one file each: their flags, the packages that they call, and their
// exit codes. root.go lists the commands and runs one of them.
package cli
