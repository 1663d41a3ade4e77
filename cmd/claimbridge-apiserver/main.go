// Command claimbridge-apiserver serves old versions of resource.k8s.io over a cluster's own v1.
package main

import "os"

func main() {
	os.Exit(run(newCommand()))
}
