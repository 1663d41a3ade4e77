// Package suggest finds the names that someone may have meant who mistyped one.
package suggest

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// minPart is how long a text must be to be looked for within names: shorter ones are within too many.
const minPart = 4

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
	found := commands.SuggestionsFor(name)
	for _, known := range among {
		if len(name) >= minPart && strings.Contains(strings.ToLower(known), strings.ToLower(name)) && !slices.Contains(found, known) {
			found = append(found, known)
		}
	}
	return found
}
