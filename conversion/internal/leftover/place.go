package leftover

import "slices"

// Last stands for the index of an entry that is the last of a list.
const Last = -1

// Insert puts an item at an index of a list, which was checked, or last.
func Insert[T any](list []T, at int, item T) []T {
	if at == Last {
		at = len(list)
	}
	return slices.Insert(slices.Clip(list), at, item)
}

// Remove is a copy of a list without the item at an index, and that index for Insert.
func Remove[T any](list []T, at int) ([]T, int) {
	if len(list) == 1 {
		return nil, Last
	}
	out := slices.Concat(list[:at], list[at+1:])
	if at == len(out) {
		at = Last
	}
	return out, at
}
