// Package suggest finds known names that are similar to a mistyped one.
package suggest

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Names returns the known names that are at most this number of typing errors away, as cobra counts them for commands,
// and those that contain the name.
func Names(name string, among []string, typos int) []string {
	if i := slices.IndexFunc(among, func(known string) bool { return strings.EqualFold(known, name) }); i >= 0 {
		return among[i : i+1]
	}
	commands := &cobra.Command{SuggestionsMinimumDistance: typos}
	for _, known := range among {
		commands.AddCommand(&cobra.Command{Use: known, Run: func(*cobra.Command, []string) {}})
	}
	const minPart = 4 // shorter texts are in too many names
	found := commands.SuggestionsFor(name)
	for _, known := range among {
		if len(name) >= minPart && strings.Contains(strings.ToLower(known), strings.ToLower(name)) &&
			!slices.Contains(found, known) {
			found = append(found, known)
		}
	}
	return found
}
