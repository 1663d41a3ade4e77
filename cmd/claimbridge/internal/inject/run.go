package inject

import (
	"bytes"
	"fmt"
	"io"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/kustomization"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
)

// Run injects into what is read.
type Run struct {
	Options
	// Write files where they are, or show the Diff, or only Check. Without any the result goes to Stdout, or nothing if anything fails.
	Write, Diff, Check bool
	Stdin              io.Reader
	Stdout, Stderr     io.Writer

	log                    problems.Log
	patches                kustomization.Patches
	result                 bytes.Buffer
	pods, changed, inFiles int
	named                  bool
}

// Do it. What went wrong stands on Stderr when it returns, and as its last line what became of all.
func (r *Run) Do(in input.Input) (failed, changed bool, err error) {
	r.log = problems.Log{W: r.Stderr, Input: &in, All: true}
	inPlace := r.Write || r.Diff || r.Check
	for _, file := range in.List() {
		if file.Err != nil {
			r.log.Error(file.Err)
			continue
		}
		if err := r.file(file, inPlace); err != nil {
			return false, false, err
		}
	}
	if r.log.Failed == 0 && r.pods > 0 && r.Container != "" && !r.named && !r.Remove {
		r.log.Failed++
		r.log.Line(fmt.Sprintf("no pod has a container %q: --container names one", r.Container)) // which is a finding of no file
	}
	if r.log.Failed == 0 && !inPlace {
		if _, err := r.Stdout.Write(r.result.Bytes()); err != nil {
			return false, false, err
		}
	}
	change := "changed"
	if inPlace && !r.Write {
		change = "would change"
	}
	fmt.Fprintf(r.Stderr, "%d of %d pods %s, files: %d; %d failed, %d warnings\n", r.changed, r.pods, change, r.inFiles, r.log.Failed, r.log.Warnings)
	return r.log.Failed > 0, r.changed > 0, nil
}

// file is read, and its text is what it becomes, to the byte where nothing changes. One with an error is left as it is.
func (r *Run) file(file input.File, inPlace bool) error {
	where := file.Name()
	text, info, err := file.Read(r.Stdin, "what is edited")
	if err != nil {
		r.log.File(where, err)
		return nil
	}
	failed, before := r.log.Failed, r.changed
	is := text
	if !r.patches.Has(where) && (file.Named || !input.IsOther(text, where, words())) {
		is = r.text(where, text)
	}
	if r.log.Failed > failed {
		r.changed = before
		return nil
	}
	if !inPlace {
		if r.result.Len() > 0 {
			r.result.WriteString("---\n")
		}
		r.result.Write(is)
		if len(is) > 0 && is[len(is)-1] != '\n' && !file.IsStandardInput() {
			r.result.WriteByte('\n')
		}
	}
	if bytes.Equal(text, is) {
		return nil
	}
	r.inFiles++
	if r.Check && !r.Diff {
		fmt.Fprintln(r.Stdout, files.Quoted(where))
	}
	if r.Diff {
		if _, err := r.Stdout.Write(files.Diff(where, text, is)); err != nil {
			return err
		}
	}
	if r.Write {
		staged, err := files.Stage(file.Place(), is, info, 0)
		if err == nil {
			err = staged.Put()
			staged.Discard()
		}
		if err != nil {
			r.log.File(where, err)
			r.changed, r.inFiles = before, r.inFiles-1
		}
	}
	return nil
}
