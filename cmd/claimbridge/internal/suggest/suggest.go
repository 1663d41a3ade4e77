// Package suggest finds the names that someone may have meant who mistyped one.
package suggest

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Names are the names that may be meant: those that are so many typing errors away, as cobra counts them for
// commands, and those that have the name as a part.
func Names(name string, among []string, typos int) []string {
	if i := slices.IndexFunc(among, func(known string) bool { return strings.EqualFold(known, name) }); i >= 0 {
		return among[i : i+1]
	}
	commands := &cobra.Command{SuggestionsMinimumDistance: typos}
	for _, known := range among {
		commands.AddCommand(&cobra.Command{Use: known, Run: func(*cobra.Command, []string) {}})
	}
	const minPart = 4 // a text that is shorter is within too many names
	found := commands.SuggestionsFor(name)
	for _, known := range among {
		if len(name) >= minPart && strings.Contains(strings.ToLower(known), strings.ToLower(name)) &&
			!slices.Contains(found, known) {
			found = append(found, known)
		}
	}
	return found
}
