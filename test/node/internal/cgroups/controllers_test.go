//go:build node && linux

package cgroups

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// Controllers of version 2 are opened for the first node and closed after the last one. It is tried with whatever controller the
// kernel has there and nobody uses: where those that nodes need are of version 1, too, that one is still there.
func TestControllersAreClosedAfterTheLastNode(t *testing.T) {
	all, err := hierarchies()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(h hierarchy) bool { return h.unified && len(h.controllers) > 0 })
	if i < 0 || os.Geteuid() != 0 {
		t.Skip("needs root, and a hierarchy of version 2 with a controller")
	}
	before := needed
	t.Cleanup(func() { needed = before })
	needed = all[i].controllers
	closed, err := Closed()
	if err != nil {
		t.Fatal(err)
	}
	if len(closed) == 0 {
		t.Skip("all controllers are open already")
	}
	name := func(i int) string { return fmt.Sprintf("claimbridge-node-test-%d-%d", os.Getpid(), i) }
	remove := func(i int) {
		t.Helper()
		folders, err := Folders(name(i))
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			if err := Remove(folder); err != nil {
				t.Error(err)
			}
		}
		if err := Close(closed); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { remove(1); remove(2) })
	wantClosed := func(when string, want []string) {
		t.Helper()
		if got, err := Closed(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: want %q closed, got %q, %v", when, want, got, err)
		}
	}
	for i := range 2 {
		if err := Make(name(i+1), closed); err != nil {
			t.Fatal(err)
		}
		wantClosed("while there are nodes", nil)
	}
	remove(1)
	wantClosed("while there is another node", nil)
	remove(2)
	wantClosed("after the last node", closed)
}
