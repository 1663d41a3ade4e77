package transcode

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/internal/objectjson"
)

// layout writes an object member by member: compact, indented as json.MarshalIndent does, or as
// YAML. One member is an array that is written item by item. What goes wrong with the writer it
// says when it is flushed.
type layout struct {
	w *bufio.Writer
	form
	written int    // members or, in an array, items
	open    string // name of the array that is being written
	// held are the members of YAML that wait for their place: it has them in the order of their names.
	held map[string][]byte
}

func (l *layout) begin() {
	if !l.yaml {
		_ = l.w.WriteByte('{')
	}
}

func (l *layout) member(name string, value []byte) error {
	if l.yaml {
		if l.held == nil {
			l.held = map[string][]byte{}
		}
		l.held[name] = bytes.Clone(value)
		return nil
	}
	l.name(name)
	return l.value(value, "  ")
}

// release the members of YAML that are held and stand before a name.
func (l *layout) release(before func(name string) bool) error {
	for _, name := range slices.Sorted(maps.Keys(l.held)) {
		if !before(name) {
			continue
		}
		object := append(objectjson.AppendName([]byte{'{'}, name), l.held[name]...)
		if err := l.writeYAML(append(object, '}')); err != nil {
			return err
		}
		delete(l.held, name)
	}
	return nil
}

func (l *layout) array(name string) error {
	l.open = name
	if l.yaml {
		l.written = 0
		return l.release(func(held string) bool { return held < name })
	}
	l.name(name)
	l.written = 0
	return l.w.WriteByte('[')
}

func (l *layout) item(value []byte) error {
	if l.yaml {
		if l.written == 0 {
			_, _ = l.w.WriteString(l.open + ":\n")
		}
		l.written++
		item := append([]byte{'['}, value...)
		return l.writeYAML(append(item, ']'))
	}
	l.next("\n    ")
	return l.value(value, "    ")
}

func (l *layout) endArray() {
	switch {
	case l.yaml && l.written == 0:
		_, _ = l.w.WriteString(l.open + ": []\n")
	case l.yaml:
	case l.pretty && l.written > 0:
		_, _ = l.w.WriteString("\n  ]")
	default:
		_ = l.w.WriteByte(']')
	}
	l.written = 1
}

func (l *layout) end() error {
	switch {
	case l.yaml:
		return l.release(func(string) bool { return true })
	case l.pretty:
		_, _ = l.w.WriteString("\n}")
	default:
		_, _ = l.w.WriteString("}\n")
	}
	return nil
}

// name of a member of JSON.
func (l *layout) name(name string) {
	l.next("\n  ")
	_, _ = l.w.Write(append(objectjson.Quote(name), ':'))
	if l.pretty {
		_ = l.w.WriteByte(' ')
	}
}

// next member or item of JSON.
func (l *layout) next(line string) {
	if l.written > 0 {
		_ = l.w.WriteByte(',')
	}
	l.written++
	if l.pretty {
		_, _ = l.w.WriteString(line)
	}
}

// value of JSON, whose lines stand so far to the right.
func (l *layout) value(value []byte, at string) error {
	if !l.pretty {
		_, _ = l.w.Write(value)
		return nil
	}
	var lines bytes.Buffer
	if err := json.Indent(&lines, value, at, "  "); err != nil {
		return err
	}
	_, _ = l.w.Write(lines.Bytes())
	return nil
}

func (l *layout) writeYAML(value []byte) error {
	text, err := yaml.JSONToYAML(value)
	if err != nil {
		return err
	}
	_, _ = l.w.Write(text)
	return nil
}
