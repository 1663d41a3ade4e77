package leftover

// Finding is something wrong with a leftover on an object as a client sent it.
type Finding struct {
	// Field is the path of the annotation, label, field or configuration entry.
	Field string
	// Problem in words, without values.
	Problem string
}
