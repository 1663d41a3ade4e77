package report

import "github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"

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
