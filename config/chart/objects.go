package main

import (
	"regexp"
	"slices"
	"strings"
)

const separator = "---\n"

// object of a stream of manifests.
type object struct {
	title string // kind, namespace and name
	lines []string
}

var titles = regexp.MustCompile(`(?m)^(?:kind: |  name: |  namespace: ).*$`)

// objects of a stream, in their order, in which actions of templates stand for what was asked for.
func objects(stream []byte, actions *strings.Replacer) (all []object) {
	for document := range strings.SplitSeq(actions.Replace(escaped.Replace(string(stream))), separator) {
		head, _, _ := strings.Cut(document, "\nspec:\n")
		head, _, _ = strings.Cut(head, "\nrules:\n")
		head, _, _ = strings.Cut(head, "\nroleRef:\n")
		all = append(all, object{title: strings.Join(titles.FindAllString(head, -1), ", "), lines: slices.Collect(strings.Lines(document))})
	}
	return all
}

// escaped are the templates of others, as alerts and dashboards have them: they are left as they are.
var escaped = strings.NewReplacer("{{", `{{ "{{" }}`)

func find(all []object, title string) (lines []string, ok bool) {
	i := slices.IndexFunc(all, func(o object) bool { return o.title == title })
	if i < 0 {
		return nil, false
	}
	return all[i].lines, true
}

// plain is a line with a plain value that holds an action, of a value or of what includes values.
var plain = regexp.MustCompile(`(?m)^( *(?:- )?(?:[\w./-]+: )?)([^'{\n]*\{\{ (?:[.]|include )[^\n]*\}\}[^'\n]*)$`)

// quoted values, so that whatever stands in the place of an action is text. Conditions begin with {{- and are left alone.
func quoted(text string) string { return plain.ReplaceAllString(text, "$1'$2'") }
