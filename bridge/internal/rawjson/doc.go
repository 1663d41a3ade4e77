// Package rawjson splits JSON values into the texts of their parts without decoding them, so that a conversion can move
// some parts and copy all others byte for byte.
//
// [Members] and [Items] split one object or array in memory. [GetPath] returns the value at a path, and [Edit] replaces
// the values at a path. [Reader] reads a stream value by value: the items of a list, or the events of a watch.
//
// The package finds the end of each value, but doesn't validate the values that it copies. The caller validates texts
// of clients first ([encoding/json.Valid]).
package rawjson
