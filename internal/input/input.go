// Package input reads the files, folders and standard input that a command line names, document by document.
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
	Files []string // paths of files and folders; - is the standard input
	// Recursive is set to read folders with their subfolders.
	Recursive bool
	// Exclude lists patterns of files that are skipped in folders.
	Exclude Exclude
	// IncludeOtherFiles is set to list files whose names are not those of manifests, too.
	IncludeOtherFiles bool
	// SkipFolder is a folder that is skipped where it is below another one; empty for none. The path is absolute.
	SkipFolder string
	// Words are searched in the files of folders. A file that has none of them and holds no object is skipped.
	Words []string
	// Watch wraps every reader, if it is set.
	Watch func(io.Reader) io.Reader
	// IncludeMarkdown is set to list Markdown files as manifests.
	IncludeMarkdown bool
	// LeaveUnparsed is set to pass documents that are not parsed yet, so that other goroutines can parse them.
	// Comments that stand alone are passed as documents, too.
	LeaveUnparsed bool
	// RenderCommand is the command that reads a rendered template, as messages tell the user to type it.
	RenderCommand string

	listed []File
}

// StandardInput is the name of the standard input in messages.
const StandardInput = "standard input"

// Each calls do for every document of every file in order. It calls failed with the error of each file or document that
// cannot be read, and with a *SkippedError for each that is skipped, and then continues. An error of do ends it.
func (in *Input) Each(stdin io.Reader, failed func(error), do func(*yamldoc.Document) error) error {
	for _, f := range in.List() {
		var err error
		switch {
		case f.Err != nil:
			failed(f.Err)
		case f.IsStandardInput():
			err = in.readDocuments(stdin, StandardInput, failed, do)
		default:
			err = in.readFile(f, failed, do)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (in *Input) readFile(file File, failed func(error), do func(*yamldoc.Document) error) error {
	f, err := file.Location().Open()
	if err != nil {
		failed(plainPathError(err))
		return nil
	}
	defer func() { _ = f.Close() }() // nothing was written
	if !file.IsNamed && holdsNoObject(f, file.Path, in.Words) {
		failed(Skipped(&FileError{file.Path, errors.New("holds no object of Kubernetes, skipped")}))
		return nil
	}
	return in.readDocuments(f, file.Path, failed, do)
}

func (in *Input) readDocuments(r io.Reader, name string, failed func(error), do func(*yamldoc.Document) error) error {
	if in.Watch != nil {
		r = in.Watch(r)
	}
	reader := yamldoc.NewReader(r, name)
	next := reader.Next
	if in.LeaveUnparsed {
		next, reader.Comments = reader.Find, true
	}
	for {
		d, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			if _, more := errors.AsType[*yamldoc.DocumentError](err); !more {
				failed(streamError(name, err))
				return nil
			}
			failed(err)
			continue
		}
		if err := do(d); err != nil {
			return err
		}
	}
}

// SkippedError says why a file or document was skipped. It is not a failure.
type SkippedError struct {
	error
	// Common is set for files that many repositories have: those that hold no object of Kubernetes.
	Common bool
}

// Skipped returns a *SkippedError for something that holds no object of Kubernetes.
func Skipped(why error) error { return &SkippedError{why, true} }

// Unwrap returns the cause.
func (e *SkippedError) Unwrap() error { return e.error }

// FileError says why a file or folder cannot be read.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// streamError returns the error of a stream that could not be read to its end, with the name before the cause.
func streamError(name string, err error) error {
	at, ok := errors.AsType[*fs.PathError](err)
	switch {
	case !ok:
		return &FileError{name, errors.Unwrap(err)}
	case name == StandardInput:
		return plainPathError(err)
	}
	return &FileError{name, at.Err}
}

// plainPathError returns an error without the operation that failed, and names the file once: "lstat a: no such file"
// says nothing more than "a: no such file".
func plainPathError(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &FileError{at.Path, at.Err}
	}
	return err
}

// relativePathError is plainPathError with a path relative to the working directory, unless the user named the file or
// folder by an absolute path.
func relativePathError(err error, name string) error {
	at, ok := errors.AsType[*fs.PathError](err)
	if here, failed := os.Getwd(); ok && failed == nil && !filepath.IsAbs(name) {
		if path, failed := filepath.Rel(here, at.Path); failed == nil {
			at.Path = path
		}
	}
	return plainPathError(err)
}
