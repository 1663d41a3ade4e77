package review

// span is a part of a body by its begin and end.
type span struct{ begin, end int }

// of a body, the bytes. What is appended to them does not get into the body.
func (s span) of(body []byte) []byte { return body[s.begin:s.end:s.end] }

func (s span) len() int { return s.end - s.begin }
