package validation

import "iter"

// repeated gives the index of each item that was in a list before.
func repeated[T comparable](list []T) iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(list) < 2 {
			return
		}
		seen := make(map[T]bool, len(list))
		for i, item := range list {
			if seen[item] && !yield(i) {
				return
			}
			seen[item] = true
		}
	}
}
