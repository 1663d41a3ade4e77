//go:build race

package selector

// The race detector makes pure code ten times slower and finds nothing in it that fewer objects would not show.
const raceEnabled = true
