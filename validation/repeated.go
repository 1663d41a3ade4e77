package validation

import "iter"

// repeated gives the index of each item that was in a list before.
func repeated[T comparable](list []T) iter.Seq[int] {
	return repeatedBy(list, func(item *T) T { return *item })
}

// repeatedBy gives the index of each item whose key an earlier one has.
func repeatedBy[T any, Key comparable](list []T, keyOf func(*T) Key) iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(list) < 2 {
			return
		}
		seen := make(map[Key]bool, len(list))
		for i := range list {
			key := keyOf(&list[i])
			if seen[key] && !yield(i) {
				return
			}
			seen[key] = true
		}
	}
}
