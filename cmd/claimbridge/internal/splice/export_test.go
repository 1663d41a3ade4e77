package splice

import "github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"

// CommentsTwice gives the comments of a document as whoever edits it knows them, and as whoever looks at a result does.
func CommentsTwice(d *manifest.Document) (source, result []string, err error) {
	s, err := readYAML(d)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range s.comments {
		source = append(source, string(s.text[c.begin:c.end]))
	}
	result, err = commentsOf(d)
	return source, result, err
}
