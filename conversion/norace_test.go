//go:build !race

package conversion

const raceEnabled = false
