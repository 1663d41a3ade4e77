package preflight

import (
	"fmt"
	"regexp"
	"strings"
)

// remedy for a finding: what to do, in words, and the command that does it where there is one. The command works as it
// stands: it has the names, flags and image of what is installed, and no place to fill in.
type remedy struct{ text, command string }

// say what to do where no command can.
func say(format string, args ...any) remedy { return remedy{text: fmt.Sprintf(format, args...)} }

// by a command, or several.
func (r remedy) by(commands ...string) remedy {
	r.command = strings.Join(commands, " && ")
	return r
}

// plain words need no quotes in a shell.
var plain = regexp.MustCompile(`^[a-zA-Z0-9@%+=:,./_-]+$`)

func shell(program string, flags, args []string) string {
	words := []string{program}
	for _, word := range append(append([]string{}, flags...), args...) {
		if !plain.MatchString(word) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
