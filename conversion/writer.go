package conversion

import (
	"strconv"

	"github.com/claimbridge/claimbridge/internal/jsonscan"
)

// writer writes values by functions that are generated from their types: members in the order of their fields, no white
// space, as few escapes as can be, raw values as they are but for white space.
type writer struct{ out []byte }

// encode writes a value of our own types; such a value can always be written.
func encode(v any) []byte {
	w := writer{out: make([]byte, 0, 256)}
	w.value(v)
	return w.out
}

// other writes what no function is generated for: whole objects.
func (w *writer) other(v any) { w.raw(marshal(v)) }

func (w *writer) begin(c byte) { w.out = append(w.out, c) }

// name writes a member's name and colon.
func (w *writer) name(quoted string) { w.out = append(w.out, quoted...) }

func (w *writer) comma() { w.out = append(w.out, ',') }

// end puts the closing character in the place of the last comma.
func (w *writer) end(c byte) {
	if last := len(w.out) - 1; w.out[last] == ',' {
		w.out[last] = c
		return
	}
	w.out = append(w.out, c)
}

func (w *writer) text(s string) { w.out = jsonscan.AppendQuoted(w.out, s) }

func (w *writer) int(n int64) { w.out = strconv.AppendInt(w.out, n, 10) }

func (w *writer) bool(b bool) { w.out = strconv.AppendBool(w.out, b) }

func (w *writer) raw(value []byte) {
	if len(value) == 0 {
		w.out = append(w.out, "null"...)
		return
	}
	w.out = jsonscan.AppendCompact(w.out, value)
}

func (w *writer) canonicalRaw(value []byte) {
	if len(value) > 0 && !jsonscan.Canonical(value) {
		value = canonical(value)
	}
	if len(value) == 0 {
		value = []byte("null")
	}
	w.out = append(w.out, value...)
}

func (w *writer) texts(list []string) { writeSlice(w, list, w.text) }

func writeList[T any](w *writer, list []T, write func(*writer, *T)) {
	w.begin('[')
	for i := range list {
		write(w, &list[i])
		w.comma()
	}
	w.end(']')
}

func writeSlice[T any](w *writer, list []T, write func(T)) {
	w.begin('[')
	for i := range list {
		write(list[i])
		w.comma()
	}
	w.end(']')
}
