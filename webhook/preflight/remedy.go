package preflight

import (
	"fmt"
	"regexp"
	"strings"
)

// remedy for a finding: what to do, in words, and a command that does it or shows more, where there
// is one that has nothing to fill in.
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

// kubectl, for the cluster that was looked at.
func (o Options) kubectl(args ...string) string { return shell("kubectl", o.ClusterFlags, args) }

// inNamespace of the server.
func (o Options) inNamespace(args ...string) string {
	return o.kubectl(append([]string{"-n", o.Namespace}, args...)...)
}

// restart the pods, which is for a person to decide: it stands in the text of a remedy, never in its command.
func (o Options) restart() string { return o.inNamespace("rollout", "restart", "deployment/"+name) }

// serverLog is a command that shows what the server has to say.
func (o Options) serverLog() string { return o.inNamespace("logs", "deployment/"+name, "--tail=50") }

// inTheLog of the server is what it knows of a failure.
func (o Options) inTheLog() remedy {
	return say("see what the server has to say; docs/troubleshooting.md has the texts").by(o.serverLog())
}
