package findings

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// sarifReporter writes SARIF 2.1.0, which code scanning reads. The rules follow the results, so that only the names of
// rules are in memory.
type sarifReporter struct {
	w      io.Writer
	before string // text before the next result
	rules  []Rule
}

const (
	sarifHead = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0",` +
		`"runs":[{"columnKind":"unicodeCodePoints","results":[`
	// rulesPage explains the rules. Reports are also read outside the repository.
	rulesPage = "https://github.com/claimbridge/claimbridge/blob/main/docs/findings.md"
)

// object is a JSON object with sorted keys. The types below have the usual order of SARIF.
type object = map[string]any

type sarifResult struct {
	RuleID    Rule             `json:"ruleId"`
	Level     string           `json:"level"`
	Message   object           `json:"message"`
	Locations [1]sarifLocation `json:"locations"`
}

type sarifLocation struct {
	Physical object   `json:"physicalLocation"`
	Logical  []object `json:"logicalLocations,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

type sarifRule struct {
	ID               Rule   `json:"id"`
	ShortDescription object `json:"shortDescription"`
	Help             object `json:"help"`
	HelpURI          string `json:"helpUri"`
	Default          object `json:"defaultConfiguration"`
}

// Report implements [Reporter].
func (s *sarifReporter) Report(f Finding) {
	if !slices.Contains(s.rules, f.Rule) {
		s.rules = append(s.rules, f.Rule)
	}
	r := sarifResult{RuleID: f.Rule, Level: string(f.Severity), Message: object{"text": f.messageWithField()}}
	if f.Fixed {
		r.Level = "note"
	}
	at := &r.Locations[0]
	at.Physical = object{
		"artifactLocation": object{"uri": uriOf(f.File)},
		"region":           sarifRegion{StartLine: max(f.Line, 1), StartColumn: f.Column},
	}
	if name := f.objectName(); name != "" {
		if f.Field != "" {
			name += ": " + f.Field
		}
		at.Logical = []object{{"fullyQualifiedName": name, "kind": "object"}}
	}
	before := s.before
	s.before = ","
	s.write(before, r, "")
}

// Close writes the rules.
func (s *sarifReporter) Close() error {
	head := strings.TrimPrefix(s.before, ",") // sarifHead if there was no result
	rules := make([]sarifRule, 0, len(s.rules))
	for _, name := range s.rules {
		info, _ := findRule(name) // each finding has a known rule
		rules = append(rules, sarifRule{
			ID:               name,
			ShortDescription: object{"text": info.Reason},
			Help:             object{"text": info.Reason + "\n\n" + info.Remedy},
			HelpURI:          rulesPage, Default: object{"level": info.Severity},
		})
	}
	driver := object{
		"name":           "claimbridge",
		"informationUri": "https://github.com/claimbridge/claimbridge",
		"rules":          rules,
	}
	s.write(head+`],"tool":`, object{"driver": driver}, "}]}\n")
	return nil
}

// write writes a value between two texts. The buffered writer returns an error at the end.
func (s *sarifReporter) write(before string, value any, after string) {
	text, _ := json.Marshal(value) // these types cannot fail
	_, _ = io.WriteString(s.w, before+string(text)+after)
}

// uriOf returns the URI of a file: relative to the working directory, as code scanning expects, unless the path is
// absolute.
func uriOf(file string) string {
	path := filepath.ToSlash(file)
	u := url.URL{Path: path}
	if filepath.IsAbs(file) {
		u = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}
	}
	return u.String()
}

// messageWithField returns the message with the field.
func (f Finding) messageWithField() string {
	if f.Field == "" || strings.Contains(f.Message, f.Field) {
		return f.Message
	}
	return f.Field + ": " + f.Message
}

// objectName is like "ResourceClaim default/a", or empty if there is no object.
func (f Finding) objectName() string {
	name := f.Name
	if f.Namespace != "" {
		name = f.Namespace + "/" + name
	}
	return strings.TrimSpace(f.Kind + " " + name)
}
