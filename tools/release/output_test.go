package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that is not empty stays unchanged.
func TestOutputFolderMustBeFree(t *testing.T) {
	for is, test := range map[string]struct {
		before bool   // it is there
		file   string // in it
		want   string
	}{
		"nothing":              {},
		"an empty folder":      {before: true},
		"a folder of the user": {before: true, file: "thesis.tex", want: "thesis.tex"},
		"a release":            {before: true, file: sumsFile, want: sumsFile},
	} {
		folder := t.TempDir()
		output, staging := filepath.Join(folder, "dist"), filepath.Join(folder, ".release-1")
		err := os.Mkdir(staging, 0o755)
		if test.before {
			err = errors.Join(err, os.Mkdir(output, 0o755))
		}
		if test.file != "" {
			err = errors.Join(err, os.WriteFile(filepath.Join(output, test.file), nil, 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
		err = (&release{output: output}).isFree()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want+" is in it") {
			t.Errorf("%s: got %v, want %q", is, err, test.want)
		}
		if replaced := replace(staging, output) == nil; replaced != (test.want == "") {
			// to which another process may have written meanwhile
			t.Errorf("%s: replaced: %t", is, replaced)
		}
		if _, err := os.Stat(filepath.Join(output, test.file)); err != nil {
			t.Errorf("%s: %v", is, err)
		}
	}
}
