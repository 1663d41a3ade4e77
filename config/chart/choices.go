package main

import (
	"fmt"
	"slices"
	"strings"
)

// render manifests with one choice made, all others as in the base, as objects of a template.
type render func() ([]object, error)

// alternative is a choice, and how its manifests are made.
type alternative struct {
	when string
	render
}

// chart of objects, in parts.
type chart struct {
	// modes of certificates: objects of one mode are not there in another, so that other choices are tried in the first mode that has the object.
	modes []alternative
	// others are all other questions, for a mode. The first answer is that of the base and is not rendered again.
	others func(mode int) [][]alternative
}

// templates of all objects, in order.
func (c chart) templates() ([]string, error) {
	streams := make([][]object, len(c.modes))
	var order []object
	for i, mode := range c.modes {
		var err error
		if streams[i], err = mode.render(); err != nil {
			return nil, err
		}
		for _, o := range streams[i] {
			if _, known := find(order, o.title); !known {
				order = append(order, o)
			}
		}
	}
	others := make([][][]alternative, len(c.modes))
	rendered := map[string][]object{}
	for i := range c.modes {
		others[i] = c.others(i)
		for j, question := range others[i] {
			for k, answer := range question[1:] {
				stream, err := answer.render()
				if err != nil {
					return nil, fmt.Errorf("%s: %w", answer.when, err)
				}
				rendered[fmt.Sprint(i, j, k+1)] = stream
			}
		}
	}
	var all []string
	for _, o := range order {
		text, err := c.template(o, streams, others, rendered)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.title, err)
		}
		all = append(all, text)
	}
	return all, nil
}

// template of an object.
func (c chart) template(o object, streams [][]object, others [][][]alternative, rendered map[string][]object) (string, error) {
	var axes []axis
	var conditions []string
	first := -1
	var modes axis
	for i, stream := range streams {
		if lines, ok := find(stream, o.title); ok {
			if first < 0 {
				first = i
			}
			modes = append(modes, choice{c.modes[i].when, lines})
		}
	}
	axes = append(axes, modes)
	if len(modes) < len(streams) {
		conditions = append(conditions, either(whens(modes)))
	}
	for j, question := range others[first] {
		answers := axis{{question[0].when, o.lines}}
		for k, answer := range question[1:] {
			if lines, ok := find(rendered[fmt.Sprint(first, j, k+1)], o.title); ok {
				answers = append(answers, choice{answer.when, lines})
			}
		}
		axes = append(axes, answers)
		if len(answers) < len(question) {
			conditions = append(conditions, either(whens(answers)))
		}
	}
	text, err := merge(o.lines, axes)
	if err != nil {
		return "", err
	}
	return guarded(separator+text, conditions...), nil
}

// guarded text is there when all conditions hold. An empty one always does.
func guarded(text string, conditions ...string) string {
	conditions = slices.DeleteFunc(conditions, func(c string) bool { return c == "" })
	switch len(conditions) {
	case 0:
		return text
	case 1:
		return "{{- if " + conditions[0] + " }}\n" + text + "{{- end }}\n"
	}
	return "{{- if and (" + strings.Join(conditions, ") (") + ") }}\n" + text + "{{- end }}\n"
}

func whens(a axis) (all []string) {
	for _, c := range a {
		all = append(all, c.when)
	}
	return all
}
