package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// choice of a user's: a condition of a template, and what an object is when it holds.
type choice struct {
	when  string
	lines []string
}

// axis is the choices that there are between: one of their conditions always holds, and never two. The first is that of the base.
type axis []choice

// region is a place of the base in which an axis has something else.
type region struct {
	from, to int
	text     string
}

// merge the axes of an object, all of one base, into a template.
func merge(base []string, axes []axis) (string, error) {
	var regions []region
	for _, a := range axes {
		regions = append(regions, a.regions(base)...)
	}
	slices.SortStableFunc(regions, func(a, b region) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var text strings.Builder
	at := 0
	for _, r := range regions {
		if r.from < at {
			return "", fmt.Errorf("two choices change the same line: %s", base[r.from])
		}
		text.WriteString(strings.Join(base[at:r.from], "") + r.text)
		at = r.to
	}
	text.WriteString(strings.Join(base[at:], ""))
	return text.String(), nil
}

// regions in which the choices differ, each with the conditions between its texts.
func (a axis) regions(base []string) (found []region) {
	differences := make([][]hunk, len(a))
	var places []hunk
	for i, c := range a {
		differences[i] = hunks(base, c.lines)
		places = append(places, differences[i]...)
	}
	slices.SortFunc(places, func(a, b hunk) int { return cmp.Compare(a.from, b.from) })
	for _, p := range places {
		if last := len(found) - 1; last >= 0 && p.from <= found[last].to {
			found[last].to = max(found[last].to, p.to)
			continue
		}
		found = append(found, region{from: p.from, to: p.to})
	}
	changed := 0
	for _, r := range found {
		changed += r.to - r.from
	}
	if 2*changed > len(base) { // another object rather than another line of it, and easier to read as a whole
		found = []region{{from: 0, to: len(base)}}
	}
	for i, r := range found {
		found[i].text = a.branches(func(i int) string { return strings.Join(patch(base, r.from, r.to, differences[i]), "") })
	}
	return found
}

// branches between the texts of the choices, those that are alike together, and none for no text.
func (a axis) branches(text func(int) string) string {
	var texts []string
	conditions := map[string][]string{}
	for i, c := range a {
		t := text(i)
		if conditions[t] == nil && t != "" {
			texts = append(texts, t)
		}
		conditions[t] = append(conditions[t], c.when)
	}
	var all strings.Builder
	word := "if"
	for i, t := range texts {
		if whole := conditions[""] == nil && i == len(texts)-1; whole {
			all.WriteString("{{- else }}\n" + t)
			continue
		}
		all.WriteString("{{- " + word + " " + either(conditions[t]) + " }}\n" + t)
		word = "else if"
	}
	return all.String() + "{{- end }}\n"
}

// either of some conditions.
func either(conditions []string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "or (" + strings.Join(conditions, ") (") + ")"
}
