package ignore

import "strings"

// classes of POSIX, of ASCII as git has them, as they are written in brackets.
var classes = map[string]string{
	"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": " \t", "cntrl": "\x00-\x1f\x7f", "digit": "0-9", "graph": `\!-~`, "lower": "a-z",
	"print": " -~", "punct": "\\!-/:-@\\[-`\\{-~", "space": " \t-\r", "upper": "A-Z", "xdigit": "0-9A-Fa-f",
}

// translated writes out classes like [:alpha:] in brackets, which the library does not know, and takes the meaning from braces, which have
// none in a .gitignore. It is not ok when there is a class that git does not know either: then git never matches.
func translated(glob string) (written string, ok bool) {
	var b strings.Builder
	inside := false
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob):
			b.WriteString(glob[i : i+2])
			i++
		case inside && strings.HasPrefix(glob[i:], "[:"):
			name, _, _ := strings.Cut(glob[i+2:], "]")
			class, closed := strings.CutSuffix(name, ":")
			switch {
			case !closed: // it is a letter like others
				b.WriteString(`\[`)
			case classes[class] == "":
				return "", false
			default:
				b.WriteString(classes[class])
				i += len("[:") + len(name)
			}
		case !inside && c == '[':
			inside = true
			b.WriteByte(c)
			if i+1 < len(glob) && (glob[i+1] == '!' || glob[i+1] == '^') {
				i++
				b.WriteByte(glob[i])
			}
			if i+1 < len(glob) && glob[i+1] == ']' { // the first one is a letter like others
				i++
				b.WriteString(`\]`)
			}
		case c == '{' || c == '}':
			b.WriteString(`\` + string(c))
		default:
			inside = inside && c != ']'
			b.WriteByte(c)
		}
	}
	return b.String(), true
}
