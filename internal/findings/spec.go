package findings

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Formats of reports.
func Formats() []string { return []string{textFormat, "json", "sarif", "github"} }

const textFormat = "text"

// stdout is the file name for standard output.
const stdout = "-"

// Spec is a report to write: a format, and a file, which may be empty.
type Spec struct{ Format, File string }

// ParseSpec parses FORMAT or FORMAT=FILE.
func ParseSpec(text string) (Spec, error) {
	format, file, hasFile := strings.Cut(text, "=")
	switch {
	case !slices.Contains(Formats(), format):
		return Spec{}, fmt.Errorf("unknown format %.20q, must be one of %s", format, strings.Join(Formats(), ", "))
	case hasFile && file == "":
		return Spec{}, fmt.Errorf("%s= names no file", format)
	}
	return Spec{format, file}, nil
}

// destination returns where the report is written: a path, or stdout, or "" for standard error. Without a file it is
// standard output if that is free. Text is for people, and is written to standard error.
func (s Spec) destination(stdoutFree bool) string {
	switch {
	case s.File == stdout:
		return stdout
	case s.File != "":
		if absolute, err := filepath.Abs(s.File); err == nil {
			return absolute
		}
		return filepath.Clean(s.File)
	case s.Format != textFormat && stdoutFree:
		return stdout
	}
	return ""
}

// CheckSpecs returns an error if two reports, or a report and the output of the command, have the same destination.
func CheckSpecs(specs []Spec, stdoutFree bool) error {
	taken := map[string]Spec{}
	for _, s := range specs {
		destination := s.destination(stdoutFree)
		if destination == stdout && !stdoutFree {
			return fmt.Errorf("%s=-: standard output has the output of the command; name a file", s.Format)
		}
		if first, isTaken := taken[destination]; isTaken {
			name := cmp.Or(map[string]string{stdout: "standard output", "": "standard error"}[destination], destination)
			return fmt.Errorf("%s and %s would both be written to %s; name a file for one of them, as %[2]s=FILE",
				first.Format, s.Format, name)
		}
		taken[destination] = s
	}
	return nil
}

// TakesStdout reports whether one of the reports is written to standard output if that is free.
func TakesStdout(specs []Spec) bool {
	return slices.ContainsFunc(specs, func(s Spec) bool { return s.destination(true) == stdout })
}
