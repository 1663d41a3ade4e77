package kjson

import "github.com/go-json-experiment/json/jsontext"

// AppendQuoted writes a string as JSON, with as few escapes as can be. What is no UTF-8 becomes U+FFFD.
func AppendQuoted(out []byte, text string) []byte {
	if end, foreign := plainRun(BytesOf(text), 0); end == len(text) && !foreign {
		return append(append(append(out, '"'), text...), '"')
	}
	out, _ = jsontext.AppendQuote(out, text) // its one error is what is no UTF-8
	return out
}

// AppendUnquoted decodes a JSON string, quotes included, that was read before. What is no UTF-8, and halves of
// surrogate pairs, become U+FFFD; ok is false when there are some.
func AppendUnquoted(out, quoted []byte) (_ []byte, ok bool) {
	out, err := jsontext.AppendUnquote(out, quoted)
	return out, err == nil
}
