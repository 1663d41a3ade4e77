//go:build linux

package cgroups

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Folders that a node of a name has, one for each hierarchy.
func Folders(name string) ([]string, error) {
	all, err := hierarchies()
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, h := range all {
		folders = append(folders, filepath.Join(h.folder, name))
	}
	return folders, nil
}

// Closed are the controllers that the root of version 2 does not let its children have yet, though a node needs them.
func Closed() ([]string, error) {
	root, err := unified()
	if err != nil || root == nil {
		return nil, err
	}
	open, err := os.ReadFile(filepath.Join(root.folder, "cgroup.subtree_control"))
	if err != nil {
		return nil, err
	}
	var closed []string
	for _, c := range needed {
		if slices.Contains(root.controllers, c) && !slices.Contains(strings.Fields(string(open)), c) {
			closed = append(closed, c)
		}
	}
	return closed, nil
}

// Make the folders of a node. The controllers that are still closed are opened for it.
func Make(name string, closed []string) error {
	folders, err := Folders(name)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if err := os.Mkdir(folder, 0o755); err != nil && !os.IsExist(err) {
			return err
		}
	}
	root, err := unified()
	if err != nil || root == nil {
		return err
	}
	if err := share(root.folder, "+", closed); err != nil {
		return err
	}
	// From now on another node that ends cannot close them: the kernel sees that they are in use.
	var use []string
	for _, c := range needed {
		if slices.Contains(root.controllers, c) {
			use = append(use, c)
		}
	}
	return share(filepath.Join(root.folder, name), "+", use)
}

// Close controllers again, but for those that somebody still uses.
func Close(opened []string) error {
	root, err := unified()
	if err != nil || root == nil {
		return err
	}
	for _, c := range opened {
		if err := share(root.folder, "-", []string{c}); err != nil && !errors.Is(err, syscall.EBUSY) {
			return err
		}
	}
	return nil
}

func share(folder, sign string, controllers []string) error {
	for _, c := range controllers {
		if err := os.WriteFile(filepath.Join(folder, "cgroup.subtree_control"), []byte(sign+c), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// unified hierarchy of version 2, when it has controllers that a node needs.
func unified() (*hierarchy, error) {
	all, err := hierarchies()
	if err != nil {
		return nil, err
	}
	for _, h := range all {
		if h.unified && slices.ContainsFunc(needed, func(c string) bool { return slices.Contains(h.controllers, c) }) {
			return &h, nil
		}
	}
	return nil, nil
}

// Remove a folder with those in it. They have files that cannot be removed, and go without.
func Remove(folder string) error {
	var folders []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			folders = append(folders, path)
		}
		return nil // what is gone by now
	})
	for _, path := range slices.Backward(folders) { // those in a folder come after it
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return err
}
