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

// sarif is SARIF 2.1.0, which code scanning reads. Results are written as they come; what rules they name follows, so that memory
// holds no more than the names of rules.
type sarif struct {
	w      *bufio.Writer
	before string // the next result
	rules  []string
}

const (
	sarifHead = `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"unicodeCodePoints","results":[`
	// rulesPage explains the rules to those who read a report elsewhere.
	rulesPage = "https://github.com/claimbridge/claimbridge/blob/main/docs/findings.md"
)

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string           `json:"ruleId"`
	Level     string           `json:"level"`
	Message   sarifText        `json:"message"`
	Locations [1]sarifLocation `json:"locations"`
	Fixes     []sarifFix       `json:"fixes,omitempty"`
}

type sarifLocation struct {
	Physical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	Help             sarifText `json:"help"`
	HelpURI          string    `json:"helpUri"`
	Default          struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

func (s *sarif) add(f finding.Finding) error {
	if !slices.Contains(s.rules, f.Rule) {
		s.rules = append(s.rules, f.Rule)
	}
	r := sarifResult{RuleID: f.Rule, Level: string(f.Severity), Message: sarifText{about(f)}, Fixes: fixesOf(f)}
	if f.Fixed {
		r.Level = "note"
	}
	at := &r.Locations[0]
	at.Physical.Artifact.URI = uriOf(f.File)
	at.Physical.Region = sarifRegion{StartLine: max(f.Line, 1), StartColumn: f.Column}
	if name := objectName(f); name != "" {
		if f.Field != "" {
			name += ": " + f.Field
		}
		at.Logical = []sarifLogical{{FullyQualifiedName: name, Kind: "object"}}
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
		r := sarifRule{ID: name, ShortDescription: sarifText{known.Reason}, Help: sarifText{known.Reason + "\n\n" + known.Remedy}, HelpURI: rulesPage}
		r.Default.Level = string(known.Severity)
		rules = append(rules, r)
	}
	driver := map[string]any{"name": "claimbridge", "informationUri": "https://github.com/claimbridge/claimbridge", "rules": rules}
	return s.write(head+`],"tool":`, map[string]any{"driver": driver}, "}]}\n")
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

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

// fixesOf a finding: one for all of its document, as its changes belong together. A region without an end column ends before the
// end of its last line.
func fixesOf(f finding.Finding) []sarifFix {
	if len(f.Fix) == 0 {
		return nil
	}
	change := sarifChange{Artifact: sarifArtifact{uriOf(f.File)}}
	for _, r := range f.Fix {
		change.Replacements = append(change.Replacements, sarifReplacement{
			sarifRegion{StartLine: r.First, StartColumn: 1, EndLine: r.Last}, sarifText{r.Text},
		})
	}
	return []sarifFix{{sarifText{"what claimbridge convert --write makes of the document"}, []sarifChange{change}}}
}
