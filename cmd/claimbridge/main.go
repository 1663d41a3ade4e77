// Command claimbridge converts and validates claims of resource.k8s.io, as a webhook and on the command line.
package main

import (
	"os"

	"github.com/claimbridge/claimbridge/internal/cli"
)

func main() { os.Exit(cli.Main()) }
