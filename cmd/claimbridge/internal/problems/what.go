package problems

import (
	"cmp"
	"errors"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
	"github.com/claimbridge/claimbridge/internal/conversion"
	"github.com/claimbridge/claimbridge/validation"
)

// What there is to say about an object.
type What struct {
	Rule finding.Rule
	// Refusal names a rule of validation, in place of Rule.
	Refusal string
	// Field by its path, if one is to blame.
	Field string
	// Line in the file, if it is known and not that of the field.
	Line int
	// Text in a line, with the field where people have to know it. Message is the same without the
	// field and where that is; when it is empty it is what follows the field in the text.
	Text, Message string
}

// name of the rule.
func (w What) name() string { return cmp.Or(w.Refusal, w.Rule.About().Name) }

// message is the text without its field in front.
func (w What) message() string {
	if w.Message != "" || w.Field == "" {
		return cmp.Or(w.Message, w.Text)
	}
	return strings.TrimPrefix(w.Text, w.Field+": ")
}

// At a field: what is wrong with it.
func At(rule finding.Rule, field, text string) What {
	if field == "" {
		return What{Rule: rule, Text: text}
	}
	return What{Rule: rule, Field: field, Text: field + ": " + text}
}

// Reason of an error of a result, without its field and value.
func Reason(e validation.Error) string {
	if e.Detail == "" {
		return e.Type.String()
	}
	return e.Type.String() + ": " + e.Detail
}

// ReasonAndRule is the same with the rule, if it has one.
func ReasonAndRule(e validation.Error) string {
	if e.Rule == "" {
		return Reason(e)
	}
	return Reason(e) + " (" + e.Rule + ")"
}

// Refused is an error of a result, with words before it. What no rule of validation says is one of
// metadata, of types or of versions.
func Refused(before string, e validation.Error) What {
	w := What{Refusal: e.Rule, Field: e.Field, Text: before + e.Field + ": " + ReasonAndRule(e)}
	switch {
	case e.Rule != "":
	case e.Field == "apiVersion":
		w.Rule = finding.UnknownVersion
	case e.Field == "metadata" || strings.HasPrefix(e.Field, "metadata."):
		w.Rule = finding.MetadataIsInvalid
	case e.Type == "FieldValueTypeInvalid":
		w.Rule = finding.WrongType
	default:
		w.Rule = finding.RefusedByRelease
	}
	return w
}

// reasons of an error, each with its field. Object and versions are left out, the line names them.
func reasons(h conversion.Header, err error) []What {
	if unknown, ok := errors.AsType[*conversion.UnknownFieldError](err); ok {
		var all []What
		for _, field := range unknown.Fields {
			rule, what, remedy := WrongField(h, field)
			if e, ok := errors.AsType[*conversion.Error](err); ok && e.To == h.Version {
				remedy = strings.Replace(remedy, "let --validate=false drop it",
					"let --validate=false pass it through for the API server to drop", 1)
			}
			switch {
			case remedy == "":
			case strings.HasSuffix(what, "?"):
				what += " " + remedy
			default:
				what += "; " + remedy
			}
			all = append(all, At(rule, field, what))
		}
		return all
	}
	if e, ok := errors.AsType[*conversion.Error](err); ok {
		switch {
		case e.Field != "":
			text := e.Err.Error()
			if strings.HasSuffix(text, "must be a string") &&
				(strings.Contains(text, "a boolean") || strings.Contains(text, "a number")) {
				text += ": put it in quotes"
			}
			return []What{At(finding.WrongType, e.Field, text)}
		case errors.Is(err, conversion.ErrVersion):
			return []What{At(finding.UnknownVersion, "apiVersion", release.UnknownInObject(e.Version))}
		}
		return []What{{Rule: finding.CannotBeConverted, Text: e.Err.Error()}}
	}
	return []What{Unread(err)}
}

// Twice is a warning of a key that is duplicated, with its field or line.
func Twice(err error) What {
	at := yamldoc.PlaceOf(err)
	return What{Rule: ruleOf(err), Line: at.Line, Field: at.Field, Text: err.Error()}
}

// Unread is an error of reading, with the field or line that it names.
func Unread(err error) What {
	w := Twice(err)
	if yamldoc.PlaceOf(err).Twice {
		w.Text += "; remove one of them, or let --validate=false take the last one"
	}
	return w
}

// ruleOf an error of reading.
func ruleOf(err error) finding.Rule {
	if errors.Is(err, ErrNoType) {
		return finding.ObjectWithoutType
	}
	if _, ok := errors.AsType[*yamldoc.TemplateError](err); ok {
		return finding.HelmTemplate
	}
	if yamldoc.PlaceOf(err).Twice {
		return finding.DuplicateField
	}
	if _, ok := errors.AsType[*yamldoc.DocumentError](err); ok {
		return finding.UnreadableDocument
	}
	if _, ok := errors.AsType[*input.FileError](err); ok {
		return finding.UnreadableFile
	}
	return finding.CannotBeConverted
}

// hint says what to do about what cannot be read, or is no object of the file at a place; without
// one, it was meant as an object.
func (l *Log) hint(at finding.Place, err error) string {
	if hint := l.template(at.File, err); hint != "" {
		return hint
	}
	if at.File == "" || at.File == input.StandardInput || at.Item != "" {
		return ""
	}
	if _, is := errors.AsType[*yamldoc.NotObjectError](err); is || errors.Is(err, ErrNoType) {
		if l.Input.IsNamed(at.File) {
			return ""
		}
		return "; leave out a file that is meant for something else with --exclude"
	}
	return ""
}

// template says what to do about one.
func (l *Log) template(file string, err error) string {
	if _, ok := errors.AsType[*yamldoc.TemplateError](err); !ok {
		return ""
	}
	hint := "; it looks like a template: render it first"
	if input.InChart(file) {
		hint += ", as helm template CHART | " + l.Input.Rendered
	}
	return hint
}
