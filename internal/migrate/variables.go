package migrate

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/variables"
)

// convertWithVariables converts a claim. In a field that is not a string, it replaces a variable with a placeholder,
// which is a valid value. restoreVariables writes the variable back.
func (c *Converter) convertWithVariables(in location, raw []byte) (o *claimConversion, err error) {
	options := conversion.Options{Strict: c.Validate, Manifest: true, OmitDefaults: true, ListPreserved: true}
	o = &claimConversion{location: in, raw: raw}
	o.converted, o.report, err = conversion.AppendConverted(nil, raw, c.version, options)
	if unreadableField(err) != "" {
		readable, typed := variables.WithTypes(raw, func(object []byte) string {
			_, _, err := conversion.AppendConverted(nil, object, c.version, options)
			return unreadableField(err)
		})
		if len(typed) > 0 {
			o.variables = typed
			o.converted, o.report, err = conversion.AppendConverted(nil, readable, c.version, options)
		}
	}
	o.hasTarget = o.report.Version == c.version
	return o, err
}

// unreadableField returns the path of a field with a value of the wrong type, or "".
func unreadableField(err error) string {
	if e, ok := errors.AsType[*conversion.Error](err); ok {
		return e.Field
	}
	return ""
}

// movedVariables returns the variables of the claim, in their order, with the paths of their fields in the converted
// claim. If the version does not have a field, its path is empty or names nothing.
func (c *Converter) movedVariables(o *claimConversion) []variables.TypedValue {
	moved := make([]variables.TypedValue, 0, len(o.variables))
	for _, v := range o.variables {
		names := namesOfPath(v.Path)
		if movedReason(names, c.version) != "" {
			names = convertPath(names, c.version)
		}
		moved = append(moved, variables.TypedValue{Path: pathOfNames(names), Text: v.Text})
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
		_, err := strconv.Atoi(name)
		switch {
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

// restoreVariables writes the variables into the converted claim, in place of their placeholders. It returns an error
// if the version does not have the field of a variable.
func (c *Converter) restoreVariables(o *claimConversion) *findings.Finding {
	if len(o.variables) == 0 {
		return nil
	}
	moved := c.movedVariables(o)
	texts := map[string][]byte{}
	for _, v := range moved {
		texts[v.Path] = v.Text
	}
	var edits []Edit
	restored := map[string]bool{}
	parseNode(o.converted).walk(func(t *jsonNode) bool {
		if text, found := texts[t.path()]; found && t.parent != nil {
			edits = append(edits, Edit{t.begin, t.end, text})
			restored[t.path()] = true
		}
		return true
	})
	missing := slices.IndexFunc(moved, func(v variables.TypedValue) bool { return !restored[v.Path] })
	if missing >= 0 {
		failure := o.asSubject().New(findings.Error, findings.WrongType, o.variables[missing].Path,
			"is a variable, and "+c.version+" has no such field: change the apiVersion and the fields by hand")
		return &failure
	}
	o.converted = ApplyEdits(o.converted, outermost(edits))
	return nil
}
