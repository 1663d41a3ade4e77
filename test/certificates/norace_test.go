//go:build !race

package certificates

const raceEnabled = false
