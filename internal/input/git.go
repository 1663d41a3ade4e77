package input

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// repositoryVariables name another repository, work tree or index. Git sets some of them for hooks.
var repositoryVariables = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR",
	"GIT_DIR",
	"GIT_INDEX_FILE",
	"GIT_NAMESPACE",
	"GIT_OBJECT_DIRECTORY",
	"GIT_PREFIX",
	"GIT_WORK_TREE",
}

var errNoWorkTree = errors.New("is not in a Git work tree")

// gitFiles returns the files below a directory that Git tracks or would add, in lexical order of their
// path components. Paths have slashes and are relative to the directory. A repository within the
// repository is one entry, a directory.
func gitFiles(dir string) ([]string, error) {
	list := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard"}
	// A repository can configure a program that reports changed files. Git does not run it, and it neither writes
	// nor fetches anything.
	git := exec.CommandContext(context.Background(), "git",
		slices.Concat([]string{"-c", "core.fsmonitor=false", "-C", dir}, list)...)
	git.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(repositoryVariables, name)
	})
	git.Env = append(git.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1")
	var stderr bytes.Buffer
	git.Stderr = &stderr
	out, err := git.Output()
	if err != nil {
		reason, _, _ := strings.Cut(stderr.String(), "\n")
		if strings.Contains(reason, "not a git repository") {
			return nil, errNoWorkTree
		}
		return nil, fmt.Errorf("git ls-files: %s", cmp.Or(strings.TrimPrefix(reason, "fatal: "), err.Error()))
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if name = strings.TrimSuffix(name, "/"); name != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	})
	return slices.Compact(names), nil // while a merge has conflicts, a file has several entries
}

// repositoryOf returns the root of the Git repository that contains a directory. The path is absolute.
func repositoryOf(dir string) (root string, found bool) {
	for ; !isRepositoryRoot(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
	return dir, true
}

// isRepositoryRoot reports whether a directory is the root of a repository.
func isRepositoryRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git")) // a file, in a linked work tree or a submodule
	return err == nil
}
