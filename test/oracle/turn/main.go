// Command turn prints the releases of Kubernetes that a run of CI asks: one in turn, another one
// each day, and those whose rules differ from the base. `make oracle RELEASES="$(go run
// ./test/oracle/turn -base origin/main)"` asks them.
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
	base := flag.String("base", "origin/main", "what the change is compared with, from where the two parted")
	flag.Parse()
	rules, err := changed(".", *base)
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot determine the changed rules, so only today's release is compared: "+
			"git diff --merge-base %s: %v\n", *base, err)
	}
	fmt.Println(strings.Join(releases(time.Now().Unix()/int64(24*time.Hour/time.Second), rules), " "))
}

// changed files of rules, whole, as they were and as they are.
func changed(repository, base string) (string, error) {
	diff := exec.Command("git", "diff", "--merge-base", "--unified=100000", base, "--", "validation/*.go")
	diff.Dir = repository
	files, err := diff.Output()
	return string(files), err
}

// sources of rules name releases: "Kubernetes 1.26 CT14, 1.32 to 1.33 DT1, 1.34+ DT2".
var (
	source = regexp.MustCompile(`"Kubernetes 1\.[^"]*"`)
	served = regexp.MustCompile(`(1\.\d+)(?: to (1\.\d+))?(\+)?`)
)

// mostTouched is how many releases are asked for a change of rules, the newest ones. Building each takes minutes, the
// record has the results of the others, and each has its turn.
const mostTouched = 1

// releases to ask on a day, when these rules have changed. A release that is not published has no turn.
func releases(day int64, rules string) (names []string) {
	spans := served.FindAllStringSubmatch(strings.Join(source.FindAllString(rules, -1), " "), -1)
	left := mostTouched
	validators := oracle.Published()
	for i, v := range slices.Backward(validators) {
		touched := left > 0 && slices.ContainsFunc(spans, func(span []string) bool {
			return span[1] <= v.Name && (span[3] != "" || v.Name <= max(span[1], span[2]))
		})
		if touched {
			left--
		}
		if touched || int64(i) == day%int64(len(validators)) {
			names = append(names, v.Name)
		}
	}
	slices.Reverse(names)
	return names
}
