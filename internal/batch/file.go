package batch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"

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

	isNotConverted bool // it is not a manifest, or is a Markdown page without objects
	isSkipped      bool // it has no object, or is a link, a pipe or a temporary file
	isChanged      bool // its text changes, or would change
	mentionsClaims bool // its text mentions claims, and needs no change

	readErr error // of the first document that is not an object

	documents, objects int
	diff               []byte
	staged             *files.Staged
}

// convertFile converts a file. The result has the diff, but not the text, so that texts are not kept in memory.
func (r *inPlace) convertFile(in input.File) *fileResult {
	f := &fileResult{name: in.Name(), isNotConverted: !in.IsManifest}
	if in.Err != nil {
		_, f.isSkipped = errors.AsType[*input.SkippedError](in.Err)
		f.result.Findings.Add(findings.FromError(r.run.Input, in.Err))
		return f
	}
	if f.isNotConverted && r.OutputDir == "" {
		return f
	}
	text, info, err := in.Read(r.stdin)
	if err = cmp.Or(err, r.checkMarkdown(in)); err != nil {
		f.result.Findings.Add(findings.FromFileError(r.run.Input, f.name, err))
		return f
	}
	r.run.progress.files.Add(1)
	converted := r.convertText(f, in, text)
	r.run.progress.bytes.Add(int64(len(text)))
	if r.pipeline.ctx.Err() != nil {
		return f // the pipeline discards the result
	}
	f.isChanged = !bytes.Equal(text, converted)
	if f.result.Findings.Failed() > 0 {
		f.result.Findings.MarkUnfixed()
		if f.isChanged {
			f.result.Findings.Add(findings.NewNote(f.name + ": not written, because it has an error"))
		}
		f.isChanged = false
		return f
	}
	r.stageOrFail(f, in, info, converted)
	if f.isChanged && r.Diff {
		f.diff = files.Diff(f.name, text, converted)
		if r.isColored {
			f.diff = files.Colorize(terminal.Escape(f.diff))
		}
	}
	return f
}

// convertText returns the converted text of a file. The text of a file that is not a manifest is unchanged.
func (r *inPlace) convertText(f *fileResult, in input.File, text []byte) []byte {
	if !in.IsManifest {
		return text
	}
	if r.run.Input.IncludeMarkdown && yamldoc.IsMarkdown(in.Path) {
		converted := r.convertDocuments(f, yamldoc.Blocks(text), text)
		f.isNotConverted = f.objects == 0
		return converted
	}
	converted := r.convertDocuments(f, text, text)
	f.isSkipped = f.objects == 0 && (f.documents > 0 || in.IsStandardInput())
	if f.isSkipped {
		r.reportSkipped(f, in)
	}
	return converted
}

// stageOrFail stages the text of a file. In a dry run, it reports a file that would change and is read-only.
func (r *inPlace) stageOrFail(f *fileResult, in input.File, info fs.FileInfo, text []byte) {
	if err := r.stage(f, in, info, text); err != nil {
		r.failToWrite(f, err)
	}
	if f.isChanged && !r.Writes() && files.IsReadOnly(info) {
		f.result.Findings.Add(findings.ReadOnly(f.name))
	}
}

// checkMarkdown returns an error for a Markdown file that the user named without --markdown.
func (r *inPlace) checkMarkdown(in input.File) error {
	if in.IsManifest && yamldoc.IsMarkdown(in.Path) && !r.run.Input.IncludeMarkdown && r.OutputDir == "" {
		return errMarkdown
	}
	return nil
}

var errMarkdown = errors.New("is a Markdown file: use --markdown to convert its code blocks")

// reportSkipped reports a file without a Kubernetes object, if the user named it or asked for an explanation.
func (r *inPlace) reportSkipped(f *fileResult, in input.File) {
	if in.IsNamed && !in.IsStandardInput() && r.OutputDir == "" {
		r.reportWithoutObject(f, in)
	}
	if f.isSkipped && r.run.Explain {
		f.result.Findings.Add(findings.NewNote(f.name + ": contains no Kubernetes object: skipped"))
	}
}

// reportWithoutObject reports a file without a Kubernetes object that the user named. It is an error only if its name
// is not that of a manifest: pre-commit names all changed files with such names, among them ones that are not YAML.
func (r *inPlace) reportWithoutObject(f *fileResult, in input.File) {
	if !in.HasManifestName() {
		f.isSkipped = false
		f.result.Findings.Add(findings.FromFileError(r.run.Input, f.name, cmp.Or(f.readErr, findings.ErrNoType)))
		return
	}
	_, isTemplate := errors.AsType[*yamldoc.TemplateError](f.readErr)
	_, isNotObject := errors.AsType[*yamldoc.NotObjectError](f.readErr)
	invalid, isInvalid := errors.AsType[*yamldoc.DocumentError](f.readErr)
	if isInvalid && !isTemplate && !isNotObject {
		reason := &yamldoc.DocumentError{Position: invalid.Position, Err: fmt.Errorf("%w: skipped", invalid.Err)}
		f.result.Findings.Add(findings.FromError(r.run.Input, input.NewHarmlessSkip(reason)))
	}
}

// failToWrite reports why a file cannot be written, and marks the file as unchanged.
func (r *inPlace) failToWrite(f *fileResult, err error) {
	f.result.Findings.MarkUnfixed()
	f.result.Findings.Add(findings.FromFileError(r.run.Input, f.name, err))
	f.isChanged = false
}

// convertDocuments converts the documents in blocks, and returns the text of the file with the converted documents.
// blocks is as long as text: in a Markdown page, everything outside of the code blocks is blank. If the context
// ends, the text is incomplete, and the caller must discard it.
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
