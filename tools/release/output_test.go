package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutputFolderMustBeEmpty checks that a folder with files is an error, and is unchanged.
func TestOutputFolderMustBeEmpty(t *testing.T) {
	for name, test := range map[string]struct {
		exists bool   // the folder exists
		file   string // in the folder
		want   string
	}{
		"nothing":              {},
		"an empty folder":      {exists: true},
		"a folder of the user": {exists: true, file: "thesis.tex", want: "thesis.tex"},
		"a release":            {exists: true, file: sumsFile, want: sumsFile},
	} {
		folder := t.TempDir()
		output, staging := filepath.Join(folder, "dist"), filepath.Join(folder, ".release-1")
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
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
		if replaced := replace(staging, output) == nil; replaced != (test.want == "") {
			// Another process may have written to the folder after the check.
			t.Errorf("%s: replaced: %t", name, replaced)
		}
		if _, err := os.Stat(filepath.Join(output, test.file)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
