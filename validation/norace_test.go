//go:build !race

package validation

const raceEnabled = false
