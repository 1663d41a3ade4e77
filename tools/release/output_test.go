package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputFolderMustBeEmpty checks that an output folder with files is an error, and that its files remain.
func TestOutputFolderMustBeEmpty(t *testing.T) {
	for name, test := range map[string]struct {
		exists bool   // the output folder exists
		file   string // file in the output folder
		want   string // file in the error, or "" for no error
	}{
		"no folder":            {},
		"an empty folder":      {exists: true},
		"a folder with a file": {exists: true, file: "thesis.tex", want: "thesis.tex"},
		"a release":            {exists: true, file: sumsFile, want: sumsFile},
	} {
		folder := t.TempDir()
		output := filepath.Join(folder, "dist")
		staging := filepath.Join(folder, ".release-1")
		err := os.Mkdir(staging, 0o755)
		if test.exists {
			err = errors.Join(err, os.Mkdir(output, 0o755))
		}
		if test.file != "" {
			err = errors.Join(err, os.WriteFile(filepath.Join(output, test.file), nil, 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		err = (&release{output: output}).checkOutput()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), "contains "+test.want) {
			t.Errorf("%s: got error %v, want the file %q in it", name, err, test.want)
		}
		// Another process may write to the folder after the check.
		if err := moveToOutput(staging, output); (err == nil) != (test.want == "") {
			t.Errorf("%s: moveToOutput: got error %v, want an error: %t", name, err, test.want != "")
		}
		if _, err := os.Stat(filepath.Join(output, test.file)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
