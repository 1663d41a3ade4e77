package kjson

// Depth of a value: how many objects and lists are open at once at most. The value must be JSON.
func Depth(value []byte) int {
	deepest, open := 0, 0
	for i := 0; i < len(value); {
		switch value[i] {
		case '"':
			i = textEnd(value, i)
			continue
		case '{', '[':
			open++
			deepest = max(deepest, open)
		case '}', ']':
			open--
		}
		i++
	}
	return deepest
}
