//go:build linux

// Command keeper makes the namespaces of one node of a cluster and waits for their end, to take away what is left of them.
// It outlives whoever started it for as long as that takes.
//
// It has open: 3, what its owner has open for as long as the node is to live; 4, what says whether it came up; 5, the file that says that the node is
// there, locked for as long as somebody has it open.
package main

import (
	"fmt"
	"os"

	"github.com/claimbridge/claimbridge/test/node/internal/spec"
)

func main() {
	run, args := keep, os.Args[1:]
	if len(args) == 2 && args[0] == "init" {
		run, args = live, args[1:]
	}
	if len(args) != 1 {
		fail(fmt.Errorf("usage: keeper FILE"))
	}
	node, err := spec.Read(args[0])
	if err == nil {
		err = run(node, args[0])
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "keeper:", err)
	os.Exit(1) //nolint:forbidigo // a program of its own
}
