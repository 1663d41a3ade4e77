package migrate

import (
	"errors"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/variables"
	"github.com/claimbridge/claimbridge/internal/conversion"
)

// convert a claim. In a field that is not a string a variable is replaced by a valid value, until restoreVariables.
func (p *part) convert(c *claim) (err error) {
	options := conversion.Options{Strict: p.Strict, AnnotationsOnly: true, OmitDefaults: true, ListPreserved: true}
	c.converted, c.report, err = conversion.Append(p.converted[:0], c.raw, p.to, options)
	if unreadableField(err) == "" {
		return err
	}
	readable, typed := variables.WithTypes(c.raw, func(object []byte) string {
		_, _, err := conversion.Append(nil, object, p.to, options)
		return unreadableField(err)
	})
	if len(typed) > 0 {
		c.typed = typed
		c.converted, c.report, err = conversion.Append(p.converted[:0], readable, p.to, options)
	}
	return err
}

// unreadableField is the path of a field with a value of the wrong type, or empty.
func unreadableField(err error) string {
	if e, ok := errors.AsType[*conversion.Error](err); ok {
		return e.Field
	}
	return ""
}

// movedVariables are the variables in fields that are not strings, by the paths that the fields have in the
// converted claim.
func (p *part) movedVariables(c *claim) []variables.Typed {
	moved := make([]variables.Typed, 0, len(c.typed))
	for _, v := range c.typed {
		names := namesOfPath(v.Path)
		if movedPath(names, p.to) != "" {
			names = convertPath(names, p.to)
		}
		moved = append(moved, variables.Typed{Path: pathOfNames(names), Text: v.Text})
	}
	return moved
}

// namesOfPath splits the path of a field into names and indices.
func namesOfPath(path string) []string {
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}

// pathOfNames joins names and indices to the path of a field.
func pathOfNames(names []string) string {
	var path strings.Builder
	for i, name := range names {
		switch _, err := strconv.Atoi(name); {
		case err == nil:
			path.WriteString("[" + name + "]")
		case i > 0:
			path.WriteString("." + name)
		default:
			path.WriteString(name)
		}
	}
	return path.String()
}

// restoreVariables writes variables into the converted claim, in the place of the values that stand for them.
func (p *part) restoreVariables(c *claim) bool {
	if len(c.typed) == 0 {
		return true
	}
	var changes []change
	restored := map[string]bool{}
	texts := map[string][]byte{}
	for _, v := range p.movedVariables(c) {
		texts[v.Path] = v.Text
	}
	treeOf(c.converted).walk(func(t *tree) bool {
		if text, found := texts[t.path()]; found && t.in != nil {
			changes = append(changes, change{t.begin, t.end, text})
			restored[t.path()] = true
		}
		return true
	})
	if len(restored) < len(c.typed) {
		p.log.Refuse(c.at, c.header(), []problems.What{problems.At(finding.WrongType, c.typed[0].Path,
			"is a variable, and "+p.to+" has no such field: change the apiVersion, and the fields, by hand")})
		return false
	}
	c.converted = changedText(c.converted, inOrder(changes))
	return true
}
