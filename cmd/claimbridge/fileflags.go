package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/batch"
)

// fileFlags say what to do with files whose claims are converted where they stand.
type fileFlags struct {
	batch.FileOptions
	wouldChange, markdown, acceptLeftovers bool
}

func (f *fileFlags) addFlags(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.Write, "write", "w", false, "change files in place")
	fs.BoolVarP(&f.List, "list", "l", false, "print the names of files that change or would change")
	fs.BoolVarP(&f.Diff, "diff", "d", false, "print a unified diff that git apply accepts")
	fs.BoolVar(&f.wouldChange, "check", false,
		"write nothing, list files that would change, and exit with 3 if there is one")
	fs.BoolVar(&f.wouldChange, "dry-run", false, "same as --check")
	fs.StringVar(&f.OutputDir, "output-dir", "", "write all files of the named folders to this folder, changed or not")
	fs.BoolVar(&f.markdown, "markdown", false, "also edit blocks of YAML and JSON in Markdown files")
	fs.BoolVar(&f.acceptLeftovers, "accept-leftovers", false,
		"preserve data that the version has no field for, where no driver reads it")
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
		when(f.markdown && !f.any(), "--markdown requires %s", inPlace),
		when(flags.Changed("accept-leftovers") && !f.any(), "--accept-leftovers requires %s", inPlace),
		when(flags.Changed("output-dir") && !to, "--output-dir: the name of a folder must not be empty"),
		when(f.any() && flags.Changed("output"),
			"--output can't be combined with %s: files keep their format", inPlace),
		when(f.wouldChange && f.Write, "--check and --write are mutually exclusive: --check writes nothing"),
		when(f.wouldChange && to, "--check and --output-dir are mutually exclusive: --check writes nothing"),
		when(f.Write && to, "--write and --output-dir are mutually exclusive"),
		when(atomic && f.any() && !f.Write && !to,
			"--atomic requires --write or --output-dir if you set --list, --diff or --check"),
	)
}

// checkNames refuses what cannot be written.
func (f *fileFlags) checkNames(in *inputFlags) error {
	switch {
	case (f.Write || f.OutputDir != "") && slices.Contains(in.Files, "-"):
		return usagef("--filename: standard input can't be changed in place; name files or folders")
	case f.OutputDir == "":
		return nil
	}
	to, err := filepath.Abs(f.OutputDir)
	if err != nil {
		return err
	}
	in.SkipFolder = to
	for _, name := range in.Files {
		full, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		info, err := os.Stat(full)
		// Other errors are reported when the file is read.
		if full == to || err == nil && !info.IsDir() && filepath.Dir(full) == to {
			return usagef("--output-dir: %s would overwrite the input %s; use another folder, or --write", f.OutputDir, name)
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
