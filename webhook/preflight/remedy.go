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

// kubectl, for the cluster that was looked at.
func (v *view) kubectl(args ...string) string { return shell("kubectl", v.options.ClusterFlags, args) }

// inNamespace of the server.
func (v *view) inNamespace(args ...string) string {
	return v.kubectl(append([]string{"-n", v.options.Namespace}, args...)...)
}

// again is preflight with other flags, for the cluster that was looked at.
func (v *view) again(args ...string) string {
	return shell("claimbridge", append([]string{"preflight"}, v.options.ClusterFlags...), args)
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

// podsOf the server: why they do not start, or do not get ready.
func (v *view) podsOf() remedy {
	return say("see why they do not start, or do not get ready; docs/troubleshooting.md, \"The installation\", has the texts, as of an image that cannot be pulled").by(
		v.inNamespace("describe", "deployment,replicasets,pods"), v.inNamespace("logs", "deployment/"+name, "--tail=20"))
}

// inTheLog of the server is what it knows of a failure.
func (v *view) inTheLog() remedy {
	return say("see what the server has to say; docs/troubleshooting.md has the texts").by(v.inNamespace("logs", "deployment/"+name, "--tail=50"))
}
