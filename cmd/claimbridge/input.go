package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

// input names the files to read, with the flags of kubectl.
type input struct {
	files     []string
	recursive bool
	groups    []string
	// watch is put around every reader, when it is set.
	watch func(io.Reader) io.Reader
	// unparsed documents are given as they are found, for another goroutine to parse.
	unparsed bool
}

const defaultGroup = "resource.k8s.io"

func (in *input) addFlags(fs *pflag.FlagSet) {
	fs.StringSliceVarP(&in.files, "filename", "f", nil,
		"file or folder to read, - for standard input; repeatable. Of a folder the files *.json, *.yaml and *.yml are read. Default: standard input, unless it is a terminal.")
	fs.BoolVarP(&in.recursive, "recursive", "R", false, "read folders with their subfolders")
	fs.StringSliceVar(&in.groups, "group", []string{defaultGroup},
		"API group whose claims are meant; repeatable. '*' means any. Claims of other groups are objects of other kinds.")
}

func (in *input) complete(cmd *cobra.Command) {
	_ = cmd.MarkFlagFilename("filename", "yaml", "yml", "json") // fails only for flags that are not there
}

// check the flags, and fill in standard input.
func (in *input) check(stdin io.Reader) error {
	stdins := 0
	for _, f := range in.files {
		if f == "" {
			return usagef("--filename must not be empty")
		}
		if f == "-" {
			stdins++
		}
	}
	if stdins > 1 {
		return usagef("--filename: standard input (-) can be read only once")
	}
	if slices.Contains(in.groups, "") || len(in.groups) == 0 {
		return usagef("--group must not be empty")
	}
	if len(in.files) > 0 {
		return nil
	}
	if f, ok := stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return usagef("--filename: name what to read, or - for standard input")
	}
	in.files = []string{"-"}
	return nil
}

// each calls do for every document of every file in turn. What cannot be read is given to failed, and the rest goes
// on. An error of do ends it.
func (in *input) each(stdin io.Reader, failed func(error), do func(*manifest.Document) error) error {
	for _, name := range in.files {
		if name == "-" {
			if err := in.documents(stdin, "standard input", failed, do); err != nil {
				return err
			}
			continue
		}
		paths, err := in.expand(name)
		if err != nil {
			failed(err)
			continue
		}
		for _, path := range paths {
			if err := in.file(path, failed, do); err != nil {
				return err
			}
		}
	}
	return nil
}

func (in *input) file(path string, failed func(error), do func(*manifest.Document) error) error {
	f, err := os.Open(path)
	if err != nil {
		failed(err)
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	return in.documents(f, path, failed, do)
}

func (in *input) documents(r io.Reader, name string, failed func(error), do func(*manifest.Document) error) error {
	if in.watch != nil {
		r = in.watch(r)
	}
	reader := manifest.NewReader(r, name)
	next := reader.Next
	if in.unparsed {
		next = reader.Find
	}
	for {
		d, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			failed(err)
			if _, more := errors.AsType[*manifest.DocumentError](err); !more {
				return nil
			}
			continue
		}
		if err := do(d); err != nil {
			return err
		}
	}
}

// expand a folder to the files in it, in lexical order. A file stands for itself, whatever its name.
func (in *input) expand(name string) (paths []string, err error) {
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == name && !entry.IsDir():
			paths = append(paths, path)
		case entry.IsDir() && path != name && !in.recursive:
			return fs.SkipDir
		case !entry.IsDir() && slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(path))):
			paths = append(paths, path)
		}
		return nil
	})
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: no *.json, *.yaml or *.yml in this folder", name)
	}
	return paths, err
}
