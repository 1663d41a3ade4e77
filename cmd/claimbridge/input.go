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

	"github.com/claimbridge/claimbridge/api"
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

const defaultGroup = api.Group

func (in *input) addFlags(fs *pflag.FlagSet) {
	fs.StringSliceVarP(&in.files, "filename", "f", nil,
		"file or folder to read, - for standard input; repeatable, and may be left out before a name. Of a folder the files *.json, *.yaml and *.yml are read. Default: standard input, unless it is a terminal.")
	fs.BoolVarP(&in.recursive, "recursive", "R", false, "read folders with their subfolders")
	fs.StringSliceVar(&in.groups, "group", []string{defaultGroup},
		"API group whose claims are meant; repeatable. '*' means any. Claims of other groups are objects of other kinds.")
}

func (in *input) complete(cmd *cobra.Command) {
	extensions := []string{"yaml", "yml", "json"}
	_ = cmd.MarkFlagFilename("filename", extensions...) // fails only for flags that are not there
	cmd.ValidArgsFunction = cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// check the flags, and fill in the names that stand without a flag, or else standard input.
func (in *input) check(names []string, stdin io.Reader) error {
	in.files = append(in.files, names...)
	stdins := 0
	for _, f := range in.files {
		if f == "" {
			return usagef("--filename: the name of a file must not be empty")
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

// each calls do for every document of every file in turn. What cannot be read is given to failed, and so is, as a
// *skippedError, what is not read for good reason; the rest goes on. An error of do ends it.
func (in *input) each(stdin io.Reader, failed func(error), do func(*manifest.Document) error) error {
	for _, name := range in.files {
		if name == "-" {
			if err := in.documents(stdin, "standard input", failed, do); err != nil {
				return err
			}
			continue
		}
		paths, err := in.expand(name, failed)
		if err != nil {
			failed(plainPath(err))
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
		failed(plainPath(err))
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
			failed(plainPath(err))
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

// expand a folder to the files in it, in lexical order. A file that is named stands for itself, whatever its name, and
// whatever it is: a named pipe, say. In a folder such a thing is skipped, since reading it might wait for ever.
func (in *input) expand(name string, failed func(error)) (paths []string, err error) {
	skipped := false
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == name && !entry.IsDir():
			paths = append(paths, path)
		case entry.IsDir() && path != name && !in.recursive:
			return fs.SkipDir
		case !entry.IsDir() && slices.Contains([]string{".json", ".yaml", ".yml"}, strings.ToLower(filepath.Ext(path))):
			// What cannot be looked at is for opening it to say.
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
				skipped = true
				failed(&skippedError{fmt.Errorf("%s: is %s, skipped; name it with -f to read it", path, irregular(info.Mode()))})
				return nil
			}
			paths = append(paths, path)
		}
		return nil
	})
	if err == nil && len(paths) == 0 && !skipped {
		err = fmt.Errorf("%s: no *.json, *.yaml or *.yml in this folder", name)
	}
	return paths, err
}

// skippedError says why something was not read, which is no failure.
type skippedError struct{ error }

func irregular(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "no regular file"
}

// plainPath leaves out which call of the operating system failed, and names the file once: "lstat a: no such file" says
// nothing more than "a: no such file".
func plainPath(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", at.Path, at.Err)
	}
	return err
}
