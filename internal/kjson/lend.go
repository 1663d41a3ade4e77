package kjson

import (
	"bytes"
	"sync"
)

// writers are used again.
var writers = sync.Pool{New: func() any { return new(Writer) }}

// Lend gives what one function writes to another one that looks at it and keeps nothing of it.
func Lend(write func(*Writer), look func(text []byte)) {
	w := writers.Get().(*Writer)
	defer writers.Put(w)
	w.Out = w.Out[:0] // a panic may have left something
	write(w)
	look(w.Out)
	if cap(w.Out) > maxTexts {
		w.Out = nil
	}
}

// Written is what a function writes, as bytes of their own.
func Written(write func(*Writer)) (text []byte) {
	Lend(write, func(out []byte) { text = bytes.Clone(out) })
	return text
}
