// Command claimbridge converts and validates claims of resource.k8s.io, as a server and on the command line.
package main

import "os"

func main() {
	root := newRootCommand()
	calledAs(root, os.Args)
	os.Exit(run(root))
}
