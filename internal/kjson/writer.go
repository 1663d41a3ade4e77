package kjson

import "strconv"

// Writer appends values to Out by functions that are generated from their types: members in the order of their fields, no
// white space, as few escapes as can be, raw values as they are but for white space.
type Writer struct{ Out []byte }

// Begin writes the character that opens an object or a list.
func (w *Writer) Begin(c byte) { w.Out = append(w.Out, c) }

// Name writes a member's name and colon, which are given as they are written.
func (w *Writer) Name(quoted string) { w.Out = append(w.Out, quoted...) }

// Comma ends a member or an item.
func (w *Writer) Comma() { w.Out = append(w.Out, ',') }

// End puts the closing character where the last comma is.
func (w *Writer) End(c byte) {
	if last := len(w.Out) - 1; w.Out[last] == ',' {
		w.Out[last] = c
		return
	}
	w.Out = append(w.Out, c)
}

// Text writes a string.
func (w *Writer) Text(s string) { w.Out = AppendQuoted(w.Out, s) }

// Int writes a whole number.
func (w *Writer) Int(n int64) { w.Out = strconv.AppendInt(w.Out, n, 10) }

// Bool writes true or false.
func (w *Writer) Bool(b bool) { w.Out = strconv.AppendBool(w.Out, b) }

// Raw writes a value of JSON without white space; none at all is null.
func (w *Writer) Raw(value []byte) {
	if len(value) == 0 {
		w.Out = append(w.Out, "null"...)
		return
	}
	w.Out = AppendCompact(w.Out, value)
}

// CanonicalRaw writes a value of JSON in its canonical form; none at all, and what is no JSON, is null.
func (w *Writer) CanonicalRaw(value []byte) {
	if len(value) > 0 && !isCanonical(value) {
		value = Canonical(value)
	}
	if len(value) == 0 {
		value = []byte("null")
	}
	w.Out = append(w.Out, value...)
}

// Texts writes a list of strings.
func (w *Writer) Texts(list []string) { WriteSlice(w, list, w.Text) }

// Other writes what no function is generated for, such as whole objects.
func (w *Writer) Other(v any) { w.Raw(Marshal(v)) }

// WriteList writes a list of structs.
func WriteList[T any](w *Writer, list []T, write func(*Writer, *T)) {
	w.Begin('[')
	for i := range list {
		write(w, &list[i])
		w.Comma()
	}
	w.End(']')
}

// WriteSlice writes a list of other values.
func WriteSlice[T any](w *Writer, list []T, write func(T)) {
	w.Begin('[')
	for i := range list {
		write(list[i])
		w.Comma()
	}
	w.End(']')
}
