// Package input reads the files, directories and standard input that a command line names, document by document.
package input

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

// Input names the files to read.
type Input struct {
	Files []string // paths of files and directories; - is standard input
	// Recursive is set to read directories with their subdirectories.
	Recursive bool
	// Exclude lists patterns of files that are skipped in directories.
	Exclude Exclude
	// IncludeOtherFiles is set to also list files whose names are not those of manifests.
	IncludeOtherFiles bool
	// SkipDir is the absolute path of a directory that directory walks skip, or empty.
	SkipDir string
	// SearchWords are strings that occur in files about claims. A file that was found in a directory, and that contains
	// one of these strings, is skipped only if every document can be read and none has an apiVersion or a kind.
	SearchWords []string
	// WrapReader wraps every reader, if it is set.
	WrapReader func(io.Reader) io.Reader
	// IncludeMarkdown is set to list Markdown files as manifests.
	IncludeMarkdown bool
	// LeaveUnparsed is set to pass documents that are not parsed yet, so that other goroutines can parse them.
	// A comment without a document is passed as a document, too.
	LeaveUnparsed bool
	// PipeCommand is the command to which messages tell the user to pipe a rendered template.
	PipeCommand string

	listed []File
}

// StandardInput is the name of standard input in messages.
const StandardInput = "standard input"

// Each calls do for every document of every file in order. It calls onError with the error of each file or document
// that cannot be read, and with each warning ([IsWarning]), and continues. If do returns an error, Each returns it.
func (in *Input) Each(stdin io.Reader, onError func(error), do func(*yamldoc.Document) error) error {
	for _, f := range in.List() {
		var err error
		switch {
		case f.Err != nil:
			onError(f.Err)
		case f.IsStandardInput():
			err = in.readDocuments(stdin, StandardInput, onError, do)
		default:
			err = in.readFile(f, onError, do)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (in *Input) readFile(file File, onError func(error), do func(*yamldoc.Document) error) error {
	f, err := file.Location().Open()
	if err != nil {
		onError(plainPathError(err))
		return nil
	}
	defer func() { _ = f.Close() }() // nothing was written
	if !file.IsNamed && holdsNoObject(f, file.Path, in.SearchWords) {
		onError(NewHarmlessSkip(&FileError{file.Path, errors.New("contains no Kubernetes object: skipped")}))
		return nil
	}
	return in.readDocuments(f, file.Path, onError, do)
}

func (in *Input) readDocuments(r io.Reader, name string, onError func(error), do func(*yamldoc.Document) error) error {
	if in.WrapReader != nil {
		r = in.WrapReader(r)
	}
	reader := yamldoc.NewReader(r, name)
	next := reader.Next
	if in.LeaveUnparsed {
		next = reader.NextUnparsed
		reader.Comments = true
	}
	for {
		d, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			if _, isDocumentError := errors.AsType[*yamldoc.DocumentError](err); !isDocumentError {
				onError(streamError(name, err))
				return nil
			}
			onError(err)
			continue
		}
		if err := do(d); err != nil {
			return err
		}
	}
}

// SkippedError says why a file or document was skipped. It is a warning.
type SkippedError struct {
	error
	// IsHarmless is set if --fail-on=warning ignores the warning, because many repositories have such files.
	IsHarmless bool
}

// NewHarmlessSkip returns a *SkippedError that --fail-on=warning ignores.
func NewHarmlessSkip(why error) error { return &SkippedError{why, true} }

// Unwrap returns the cause.
func (e *SkippedError) Unwrap() error { return e.error }

// GitignoreError says why .gitignore is not applied to a directory. It is a warning: the directory is read.
type GitignoreError struct{ error }

// Unwrap returns the cause.
func (e *GitignoreError) Unwrap() error { return e.error }

// IsWarning reports whether an error is a *SkippedError or a *GitignoreError, which are warnings.
func IsWarning(err error) bool {
	_, isSkipped := errors.AsType[*SkippedError](err)
	_, isGitignore := errors.AsType[*GitignoreError](err)
	return isSkipped || isGitignore
}

// FileError says why a file or directory cannot be read.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// streamError returns the error of a stream that could not be read to its end, with the name before the cause.
func streamError(name string, err error) error {
	pathErr, isPathError := errors.AsType[*fs.PathError](err)
	switch {
	case !isPathError:
		return &FileError{name, errors.Unwrap(err)}
	case name == StandardInput:
		return plainPathError(err)
	}
	return &FileError{name, pathErr.Err}
}

// plainPathError returns an error without the operation that failed, and names the file once: "lstat a: no such file"
// says nothing more than "a: no such file".
func plainPathError(err error) error {
	if pathErr, isPathError := errors.AsType[*fs.PathError](err); isPathError {
		return &FileError{pathErr.Path, pathErr.Err}
	}
	return err
}

// relativePathError is plainPathError with a path relative to the working directory, unless the user named the file or
// directory by an absolute path.
func relativePathError(err error, name string) error {
	pathErr, isPathError := errors.AsType[*fs.PathError](err)
	if !isPathError || filepath.IsAbs(name) {
		return plainPathError(err)
	}
	workingDir, wdErr := os.Getwd()
	if wdErr != nil {
		return plainPathError(err)
	}
	path, relErr := filepath.Rel(workingDir, pathErr.Path)
	if relErr != nil {
		return plainPathError(err)
	}
	return &FileError{path, pathErr.Err}
}
