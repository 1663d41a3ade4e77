package report

import (
	"bufio"
	"encoding/json"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
)

// sarif is SARIF 2.1.0, which code scanning reads. Results are written as they come; what rules
// they name follows, so that memory holds no more than the names of rules.
type sarif struct {
	w      *bufio.Writer
	before string // the next result
	rules  []string
}

const (
	sarifHead = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0",` +
		`"runs":[{"columnKind":"unicodeCodePoints","results":[`
	// rulesPage explains the rules to those who read a report elsewhere.
	rulesPage = "https://github.com/claimbridge/claimbridge/blob/main/docs/findings.md"
)

// object is JSON with its keys in the order of the alphabet, which the types below are not to have.
type object = map[string]any

type sarifResult struct {
	RuleID    string           `json:"ruleId"`
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
	ID               string `json:"id"`
	ShortDescription object `json:"shortDescription"`
	Help             object `json:"help"`
	HelpURI          string `json:"helpUri"`
	Default          object `json:"defaultConfiguration"`
}

func (s *sarif) add(f finding.Finding) error {
	if !slices.Contains(s.rules, f.Rule) {
		s.rules = append(s.rules, f.Rule)
	}
	r := sarifResult{RuleID: f.Rule, Level: string(f.Severity), Message: object{"text": about(f)}}
	if f.Fixed {
		r.Level = "note"
	}
	at := &r.Locations[0]
	at.Physical = object{
		"artifactLocation": object{"uri": uriOf(f.File)},
		"region":           sarifRegion{StartLine: max(f.Line, 1), StartColumn: f.Column},
	}
	if name := objectName(f); name != "" {
		if f.Field != "" {
			name += ": " + f.Field
		}
		at.Logical = []object{{"fullyQualifiedName": name, "kind": "object"}}
	}
	before := s.before
	s.before = ","
	return s.write(before, r, "")
}

func (s *sarif) end() error {
	head := strings.TrimPrefix(s.before, ",") // where there was no result
	rules := make([]sarifRule, 0, len(s.rules))
	for _, name := range s.rules {
		known, _ := finding.Find(name) // every finding has a rule that is found
		rules = append(rules, sarifRule{
			ID:               name,
			ShortDescription: object{"text": known.Reason},
			Help:             object{"text": known.Reason + "\n\n" + known.Remedy},
			HelpURI:          rulesPage, Default: object{"level": known.Severity},
		})
	}
	driver := object{
		"name":           "claimbridge",
		"informationUri": "https://github.com/claimbridge/claimbridge",
		"rules":          rules,
	}
	return s.write(head+`],"tool":`, object{"driver": driver}, "}]}\n")
}

func (s *sarif) write(before string, value any, after string) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = s.w.WriteString(before + string(text) + after)
	return err
}

// uriOf a file: relative to where the command runs, as those who read reports want it.
func uriOf(file string) string {
	path := filepath.ToSlash(file)
	u := url.URL{Path: path}
	if filepath.IsAbs(file) {
		u = url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}
	}
	return u.String()
}

// about is the message of a finding with its field.
func about(f finding.Finding) string {
	if f.Field == "" || strings.Contains(f.Message, f.Field) {
		return f.Message
	}
	return f.Field + ": " + f.Message
}

// objectName is like "ResourceClaim default/a"; empty when there is no object.
func objectName(f finding.Finding) string {
	name := f.Name
	if f.Namespace != "" {
		name = f.Namespace + "/" + name
	}
	return strings.TrimSpace(f.Kind + " " + name)
}
