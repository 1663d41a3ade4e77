package spec

import "syscall"

// Order to the first process of a node. The end of orders is the end of the node.
type Order struct {
	// Program is the name of a program: that of its log.
	Program string
	// Args to start it with, its file first; none to send it a signal.
	Args []string `json:",omitempty"`
	// Signal to send when it runs.
	Signal syscall.Signal `json:",omitempty"`
}

// Event in a node.
type Event struct {
	// Ready to take orders.
	Ready bool `json:",omitempty"`
	// Ended is the name of a program that did.
	Ended string `json:",omitempty"`
	// How it ended, or why the node did.
	How string `json:",omitempty"`
}
