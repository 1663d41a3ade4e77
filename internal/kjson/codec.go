package kjson

// Codec reads and writes the types of one package by the functions that are generated for them.
type Codec struct {
	Read  func(*Reader, any)
	Write func(*Writer, any)
}

// Encode writes a value; such a value can always be written.
func (c Codec) Encode(v any) []byte {
	return Written(func(w *Writer) { c.Write(w, v) })
}

// ReadStrictly reads what is ours into a value that is zero, however it is written: what is not clean is read by the
// decoder, but nothing that is unknown or there twice is let pass. The value shares memory with the text.
func ReadStrictly[T any](c Codec, text []byte, into *T) bool {
	if len(text) == 0 {
		return false
	}
	r := NewReader(text)
	if c.Read(r, into); r.Done() {
		return true
	}
	*into = *new(T)
	if DecodeStrictly(text, into) {
		return true
	}
	*into = *new(T) // not even what could be read
	return false
}
