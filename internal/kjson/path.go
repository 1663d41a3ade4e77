package kjson

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// PointerPath turns /devices/requests/0/count into devices.requests[0].count.
func PointerPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.ParseUint(token, 10, 32); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}
