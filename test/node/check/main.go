// Command check says whether a cluster of package node can run on this machine, or what is missing, with the remedy.
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
