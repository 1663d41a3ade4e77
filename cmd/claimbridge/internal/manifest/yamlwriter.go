package manifest

import (
	"bytes"
)

type yamlWriter struct {
	w         buffer
	documents int
	empty     bool // the list that is open
}

func (*yamlWriter) Part(to *bytes.Buffer) Writer { return &yamlWriter{w: to} }

func (w *yamlWriter) CanText() bool { return true }

func (w *yamlWriter) Flush() error { return flush(w.w) }

func (w *yamlWriter) separate() error {
	if w.documents++; w.documents == 1 {
		return nil
	}
	_, err := w.w.WriteString("---\n")
	return err
}

func (w *yamlWriter) Object(object []byte) error {
	if err := w.separate(); err != nil {
		return err
	}
	return WriteYAML(w.w, object)
}

func (w *yamlWriter) Text(text []byte) error {
	if isMarker(text) { // it brings its own separator, with more on the line
		w.documents++
	} else if err := w.separate(); err != nil {
		return err
	}
	_, err := w.w.Write(text)
	return err
}

func (w *yamlWriter) members(members []Member) error {
	if len(members) == 0 {
		return nil
	}
	return WriteYAML(w.w, AppendObject(nil, members))
}

func (w *yamlWriter) OpenList(before []Member) error {
	w.empty = true
	if err := w.separate(); err != nil {
		return err
	}
	return w.members(before)
}

// beginItems comes before any item.
func (w *yamlWriter) beginItems() error {
	if !w.empty {
		return nil
	}
	w.empty = false
	_, err := w.w.WriteString("items:\n")
	return err
}

func (w *yamlWriter) Item(object []byte) error {
	if err := w.beginItems(); err != nil {
		return err
	}
	return WriteYAML(w.w, bytes.Join([][]byte{{'['}, object, {']'}}, nil))
}

func (w *yamlWriter) Items(text []byte) error {
	if err := w.beginItems(); err != nil {
		return err
	}
	_, err := w.w.Write(text)
	return err
}

func (w *yamlWriter) CloseList(after []Member) error {
	if w.empty {
		if _, err := w.w.WriteString("items: []\n"); err != nil {
			return err
		}
	}
	return w.members(after)
}
