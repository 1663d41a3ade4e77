package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/claimbridge/claimbridge/internal/batch"
)

// fileFlags are the flags for converting claims in their files.
type fileFlags struct {
	batch.FileOptions
	isCheck, markdown, acceptLeftovers bool
}

func (f *fileFlags) addFlags(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.Write, "write", "w", false, "change files in place")
	fs.BoolVarP(&f.List, "list", "l", false, "print the names of files that change or would change")
	fs.BoolVarP(&f.Diff, "diff", "d", false, "print a unified diff that git apply accepts")
	fs.BoolVar(&f.isCheck, "check", false,
		"write nothing, list files that would change, and exit with 3 if there is one")
	fs.BoolVar(&f.isCheck, "dry-run", false, "same as --check")
	fs.StringVar(&f.OutputDir, "output-dir", "",
		"write the files of the named directories to this directory, changed or not, except files with an error")
	fs.BoolVar(&f.markdown, "markdown", false, "also edit blocks of YAML and JSON in Markdown files")
	fs.BoolVar(&f.acceptLeftovers, "accept-leftovers", false,
		"preserve data that the version has no field for, in entries and annotations that no driver reads")
}

// editsFiles reports whether claims are converted in their files, and not to a stream.
func (f *fileFlags) editsFiles() bool {
	return f.Write || f.List || f.Diff || f.isCheck || f.OutputDir != ""
}

// isStdoutFree reports whether a report without a file can be written to standard output. With --check, the names of
// files are printed there only if no report is.
func (f *fileFlags) isStdoutFree() bool { return f.editsFiles() && !f.List && !f.Diff }

// inPlaceFlags are the flags that select conversion in files.
const inPlaceFlags = "--write, --list, --diff, --check or --output-dir"

// validate returns a usage error for flags that cannot be combined.
func (f *fileFlags) validate(flags *pflag.FlagSet, atomic bool) error {
	hasOutputDir := f.OutputDir != ""
	return cmp.Or(
		usageErrorIf(f.markdown && !f.editsFiles(), "--markdown requires %s", inPlaceFlags),
		usageErrorIf(flags.Changed("accept-leftovers") && !f.editsFiles(),
			"--accept-leftovers requires %s", inPlaceFlags),
		usageErrorIf(flags.Changed("output-dir") && !hasOutputDir,
			"--output-dir: the name of a directory must not be empty"),
		usageErrorIf(f.editsFiles() && flags.Changed("output"),
			"--output can't be combined with %s: files keep their format", inPlaceFlags),
		usageErrorIf(f.isCheck && f.Write, "--check and --write are mutually exclusive: --check writes nothing"),
		usageErrorIf(f.isCheck && hasOutputDir,
			"--check and --output-dir are mutually exclusive: --check writes nothing"),
		usageErrorIf(f.Write && hasOutputDir, "--write and --output-dir are mutually exclusive"),
		usageErrorIf(f.isCheck && atomic, "--check and --atomic are mutually exclusive: --check writes nothing"),
		usageErrorIf(atomic && f.editsFiles() && !f.Write && !hasOutputDir,
			"--atomic requires --write or --output-dir if you set --list or --diff"),
	)
}

// absoluteOutputDir returns the absolute path of --output-dir, or "" if the flag is not set.
func (f *fileFlags) absoluteOutputDir() (string, error) {
	if f.OutputDir == "" {
		return "", nil
	}
	return filepath.Abs(f.OutputDir)
}

// validateNames returns an error if an input cannot be changed in place, or if the output directory would overwrite an
// input. outputDir is the absolute path of --output-dir, or empty.
func (f *fileFlags) validateNames(inputs []string, outputDir string) error {
	switch {
	case f.Write && slices.Contains(inputs, "-"):
		return usagef("--write requires files or directories: standard input can't be changed in place")
	case f.OutputDir != "" && slices.Contains(inputs, "-"):
		return usagef("--output-dir requires files or directories: standard input has no name")
	case outputDir == "":
		return nil
	}
	for _, name := range inputs {
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		// Other errors are reported when the file is read.
		if path == outputDir || err == nil && !info.IsDir() && filepath.Dir(path) == outputDir {
			return usagef("--output-dir: %s would overwrite the input %s; use another directory, or --write",
				f.OutputDir, name)
		}
	}
	return nil
}

// filesError returns the error of a conversion in files. Failures and changes were already reported, so their errors
// only set the exit code.
func filesError(failed, wouldChange bool, err error) error {
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
