package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/convert"
)

// fileFlags say what to do with files whose claims are converted where they stand.
type fileFlags struct {
	convert.InFiles
	wouldChange, markdown bool
}

func (f *fileFlags) addFlags(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.Write, "write", "w", false, "change files where they are, only what has to change")
	fs.BoolVarP(&f.List, "list", "l", false, "print the names of files that change or would")
	fs.BoolVarP(&f.Diff, "diff", "d", false, "print what changes or would, as git apply takes it")
	fs.BoolVar(&f.wouldChange, "check", false, "write nothing, name files that would change, and exit with 3 for one")
	fs.StringVar(&f.OutputDir, "output-dir", "", "write all files of the named folders there, changed or not")
	fs.BoolVar(&f.markdown, "markdown", false, "edit blocks of YAML and JSON in Markdown files too")
	fs.BoolVar(&f.AcceptLeftovers, "accept-leftovers", false,
		"write what the version has no field for where no driver reads it")
}

func (f *fileFlags) any() bool {
	return f.Write || f.List || f.Diff || f.wouldChange || f.OutputDir != ""
}

// stdoutFree reports whether nothing is written to standard output.
func (f *fileFlags) stdoutFree() bool { return f.any() && !f.List && !f.Diff }

// inPlace are the flags of which one has files converted where they stand.
const inPlace = "--write, --list, --diff, --check or --output-dir"

// check which flags go together.
func (f *fileFlags) check(flags *pflag.FlagSet, atomic bool) error {
	to := f.OutputDir != ""
	return cmp.Or(
		when(f.markdown && !f.any(), "--markdown goes with %s", inPlace),
		when(flags.Changed("accept-leftovers") && !f.any(), "--accept-leftovers goes with %s", inPlace),
		when(flags.Changed("output-dir") && !to, "--output-dir: the name of a folder must not be empty"),
		when(f.any() && flags.Changed("output"),
			"--output: files stay what they are, YAML or JSON; it does not go with %s", inPlace),
		when(f.wouldChange && f.Write, "--check writes nothing, it does not go with --write"),
		when(f.wouldChange && to, "--check writes nothing, it does not go with --output-dir"),
		when(f.Write && to, "--write and --output-dir do not go together: it is the one place or the other"),
		when(atomic && f.any() && !f.Write && !to,
			"--atomic goes with --write or --output-dir, or without --list, --diff and --check"),
	)
}

// checkNames refuses what cannot be written.
func (f *fileFlags) checkNames(in *inputFlags) error {
	switch {
	case (f.Write || f.OutputDir != "") && slices.Contains(in.Files, "-"):
		return usagef("--filename: name files or folders, standard input cannot be written to")
	case f.OutputDir == "":
		return nil
	}
	to, err := filepath.Abs(f.OutputDir)
	if err != nil {
		return err
	}
	in.Except = to
	for _, name := range in.Files {
		full, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		info, err := os.Stat(full)
		if full == to || err == nil && !info.IsDir() && filepath.Dir(full) == to { // else it is for reading it to say
			return usagef("--output-dir: %s is where %s is; take another folder, or --write", f.OutputDir, name)
		}
	}
	return nil
}

// ended is how work in files ends, of which all was said but the error.
func ended(failed, wouldChange bool, err error) error {
	switch {
	case err != nil:
		return err
	case failed:
		return errReported
	case wouldChange:
		return errWouldChange
	}
	return nil
}
