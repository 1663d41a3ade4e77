//go:build !race

package objects

// Raced is set with the race detector.
const Raced = false
