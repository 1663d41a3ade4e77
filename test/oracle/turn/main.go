// Command turn prints the releases of Kubernetes that a run of CI compares: a different one each day, and the newest
// one whose rules changed since the base: `make oracle RELEASES="$(go run ./test/oracle/turn -base origin/main)"`.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/claimbridge/claimbridge/test/oracle"
)

func main() {
	base := flag.String("base", "origin/main", "branch whose merge base with HEAD is compared")
	flag.Parse()
	rules, err := changedRules(".", *base)
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot determine the changed rules, so only today's release is compared: "+
			"git diff --merge-base %s: %v\n", *base, err)
	}
	fmt.Println(strings.Join(releases(time.Now().Unix()/int64(24*time.Hour/time.Second), rules), " "))
}

// changedRules returns the whole text of the changed files with rules, before and after the change.
func changedRules(repository, base string) (string, error) {
	diff := exec.Command("git", "diff", "--merge-base", "--unified=100000", base, "--", "validation/*.go")
	diff.Dir = repository
	files, err := diff.Output()
	return string(files), err
}

// Sources of rules have releases: "Kubernetes 1.26 CT14, 1.32 to 1.33 DT1, 1.34+ DT2".
var (
	source = regexp.MustCompile(`"Kubernetes 1\.[^"]*"`)
	span   = regexp.MustCompile(`(1\.\d+)(?: to (1\.\d+))?(\+)?`)
)

// maxChanged is the number of releases that are compared because of changed rules, newest first. To build one takes
// minutes. The others have recorded results, and are compared on another day.
const maxChanged = 1

// releases returns the published releases to compare on a day for changed rules.
func releases(day int64, rules string) (names []string) {
	spans := span.FindAllStringSubmatch(strings.Join(source.FindAllString(rules, -1), " "), -1)
	remaining := maxChanged
	validators := oracle.Published()
	for i, v := range slices.Backward(validators) {
		isChanged := remaining > 0 && slices.ContainsFunc(spans, func(s []string) bool {
			return s[1] <= v.Name && (s[3] != "" || v.Name <= max(s[1], s[2]))
		})
		if isChanged {
			remaining--
		}
		if isChanged || int64(i) == day%int64(len(validators)) {
			names = append(names, v.Name)
		}
	}
	slices.Reverse(names)
	return names
}
