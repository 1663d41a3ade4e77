// Command check checks that this machine can run a cluster of package node. If not, it prints what is missing, and the
// remedy.
package main

import (
	"fmt"
	"os"

	"github.com/claimbridge/claimbridge/test/node/requirements"
)

func main() {
	if err := requirements.Check(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // a separate program
	}
}
