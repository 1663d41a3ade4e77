//go:build race

package test

// The race detector makes pure code ten times slower and finds nothing in it that fewer objects would not show.
const raceEnabled = true
