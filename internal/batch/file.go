package batch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/internal/findings"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/internal/terminal"
	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// fileResult is the result of the conversion of a file.
type fileResult struct {
	name   string
	result migrate.Result // of all documents in the file

	hasNoClaims    bool // it has no claims to convert: not a manifest, or a Markdown page without objects
	isSkipped      bool // the file has no object, or is a link, a pipe or a temporary file
	isChanged      bool
	mentionsClaims bool // the text mentions claims, and needs no change

	readErr error // of the first document that is not an object

	documents, objects int
	diff               []byte
	staged             *files.Staged
}

// convertFile converts a file. The result has the diff, but not the text, so that texts are not kept in memory.
func (r *inPlace) convertFile(in input.File) *fileResult {
	f := &fileResult{name: in.Name(), hasNoClaims: !in.IsManifest}
	if in.Err != nil {
		_, f.isSkipped = errors.AsType[*input.SkippedError](in.Err)
		f.result.Findings.Add(findings.FromError(r.run.Input, in.Err))
		return f
	}
	if f.hasNoClaims && r.OutputDir == "" {
		return f
	}
	isMarkdown := in.IsManifest && yamldoc.IsMarkdown(in.Path)
	text, info, err := in.Read(r.stdin)
	if isMarkdown && !r.run.Input.IncludeMarkdown && r.OutputDir == "" { // the user named the file
		err = cmp.Or(err, errMarkdown)
	}
	if err != nil {
		f.result.Findings.Add(findings.FromFileError(r.run.Input, f.name, err))
		return f
	}
	r.run.progress.files.Add(1)
	changed := text
	switch {
	case isMarkdown && r.run.Input.IncludeMarkdown:
		changed = r.convertDocuments(f, yamldoc.Blocks(text), text)
		f.hasNoClaims = f.objects == 0
	case in.IsManifest:
		changed = r.convertDocuments(f, text, text)
		f.isSkipped = f.objects == 0 && (f.documents > 0 || in.IsStandardInput())
	}
	if f.isSkipped && in.IsNamed && !in.IsStandardInput() && r.OutputDir == "" {
		r.reportWithoutObject(f, in)
	}
	if f.isSkipped && r.run.Explain {
		f.result.Findings.Add(findings.NewNote(f.name + ": contains no Kubernetes object: skipped"))
	}
	r.run.progress.bytes.Add(int64(len(text)))
	if r.pipeline.ctx.Err() != nil {
		return f // the pipeline discards the result
	}
	f.isChanged = !bytes.Equal(text, changed)
	if f.result.Findings.Failed() > 0 {
		f.result.Findings.MarkUnfixed()
		if f.isChanged {
			f.result.Findings.Add(findings.NewNote(f.name + ": not written, because it has an error"))
		}
		f.isChanged = false
		return f
	}
	if err := r.stage(f, in, info, changed); err != nil {
		r.failToWrite(f, err)
	}
	if f.isChanged && !r.Writes() && files.IsReadOnly(info) {
		f.result.Findings.Add(findings.ReadOnly(f.name))
	}
	if f.isChanged && r.Diff {
		f.diff = files.Diff(f.name, text, changed)
		if r.isColored {
			f.diff = files.Colorize(terminal.Escape(f.diff))
		}
	}
	return f
}

// reportWithoutObject reports a file without a Kubernetes object that the user named. It is an error only if its name is
// not that of a manifest: pre-commit names all changed files with such names, among them ones that are not YAML.
func (r *inPlace) reportWithoutObject(f *fileResult, in input.File) {
	if !in.HasManifestName() {
		f.isSkipped = false
		f.result.Findings.Add(findings.FromFileError(r.run.Input, f.name, cmp.Or(f.readErr, findings.ErrNoType)))
		return
	}
	_, isTemplate := errors.AsType[*yamldoc.TemplateError](f.readErr)
	_, isOtherValue := errors.AsType[*yamldoc.NotObjectError](f.readErr)
	invalid, isInvalid := errors.AsType[*yamldoc.DocumentError](f.readErr)
	if isInvalid && !isTemplate && !isOtherValue {
		reason := &yamldoc.DocumentError{Position: invalid.Position, Err: fmt.Errorf("%w: skipped", invalid.Err)}
		f.result.Findings.Add(findings.FromError(r.run.Input, input.NewHarmlessSkip(reason)))
	}
}

var errMarkdown = errors.New("is a Markdown file: use --markdown to convert its code blocks")

// failToWrite reports why a file cannot be written, and marks the file as unchanged.
func (r *inPlace) failToWrite(f *fileResult, err error) {
	f.result.Findings.MarkUnfixed()
	f.result.Findings.Add(findings.FromFileError(r.run.Input, f.name, err))
	f.isChanged = false
}

// convertDocuments converts the documents of blocks, and returns the text of the file with those that change replaced.
// The blocks are as long as the text: in a page, everything else is blank. The result is of no use if the context has
// ended.
func (r *inPlace) convertDocuments(f *fileResult, blocks, text []byte) []byte {
	var edits []migrate.Edit
	for converted := range r.run.converter.ConvertFile(f.name, blocks) {
		if r.pipeline.ctx.Err() != nil {
			break
		}
		f.result.Include(&converted.Result)
		f.mentionsClaims = f.mentionsClaims || converted.MentionsClaims
		r.run.progress.objects.Add(int64(converted.Counts.Claims))
		f.documents++
		f.readErr = cmp.Or(f.readErr, converted.ReadErr)
		if converted.IsHandled {
			f.objects++
		}
		if converted.Edit != nil {
			edits = append(edits, *converted.Edit)
		}
	}
	return migrate.ApplyEdits(text, edits)
}
