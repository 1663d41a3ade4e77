//go:build linux

package cgroups

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// Make the folders of a node. In version 2 a folder gives its children the controllers that it says, and so must the root above it: there they
// stay given, as a kubelet of the machine would leave them.
func Make(name string) error {
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, h := range all {
		folder := filepath.Join(h.folder, name)
		if err := os.Mkdir(folder, 0o755); err != nil && !os.IsExist(err) {
			return err
		}
		for _, c := range needed {
			if !h.unified || !slices.Contains(h.controllers, c) {
				continue
			}
			for _, gives := range []string{h.folder, folder} {
				if err := os.WriteFile(filepath.Join(gives, "cgroup.subtree_control"), []byte("+"+c), 0o600); err != nil {
					return err
				}
			}
		}
	}
	return nil
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
