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

var errNoWorkTree = errors.New("is in no work tree of Git")

// gitFiles returns the files below a folder that Git tracks or would add, in lexical order of their
// path components. Paths have slashes and are relative to the folder. A repository within the
// repository is one entry, a folder.
func gitFiles(folder string) ([]string, error) {
	list := []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard"}
	// A repository may name a program that reports changed files. It is not run, and nothing is written or fetched.
	git := exec.CommandContext(context.Background(), "git",
		slices.Concat([]string{"-c", "core.fsmonitor=false", "-C", folder}, list)...)
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

// repositoryOf returns the root of the Git repository that contains a folder. The path is absolute.
func repositoryOf(folder string) (root string, found bool) {
	for ; !isRepositoryRoot(folder); folder = filepath.Dir(folder) {
		if folder == filepath.Dir(folder) {
			return "", false
		}
	}
	return folder, true
}

// isRepositoryRoot reports whether a folder is the root of a repository.
func isRepositoryRoot(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git")) // a file, in a linked work tree or a submodule
	return err == nil
}
