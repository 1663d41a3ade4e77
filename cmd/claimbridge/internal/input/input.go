// Package input reads what a command line names: files, folders and standard input, document by document.
package input

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// Input names the files to read.
type Input struct {
	Files []string // paths of files and folders, and - for standard input
	// Recursive is set to read folders with their subfolders.
	Recursive bool
	// Exclude says which files of folders are left out.
	Exclude Exclude
	// Others is set to list files that are no manifests by their name, too.
	IncludeOtherFiles bool
	// Except is a folder that is not read, where it is found in another; empty for none.
	SkipFolder string
	// Words that a file may mention. One of a folder that mentions none and holds no object is skipped.
	Words []string
	// Watch is put around every reader, when it is set.
	Watch func(io.Reader) io.Reader
	// Pages is set to list those of Markdown as manifests.
	IncludeMarkdown bool
	// Unparsed documents are given as they are found, for another goroutine to parse, and so are
	// comments that stand by themselves.
	LeaveUnparsed bool
	// Rendered is the command that takes what becomes of a template, as people are told to type it.
	RenderCommand string

	listed []File
}

// StandardInput is its name in messages.
const StandardInput = "standard input"

// Each calls do for every document of every file in turn. What cannot be read is given to failed, and so is, as a
// *SkippedError, what is not read for good reason; the rest goes on. An error of do ends it.
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
	defer func() { _ = f.Close() }() // it was only read
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

// SkippedError says why something was not read, which is no failure.
type SkippedError struct {
	error
	// Common is set for what a repository is full of: files that hold no object, for other programs.
	Common bool
}

// Skipped makes one of what is no object, for the reason that is said.
func Skipped(why error) error { return &SkippedError{why, true} }

// Unwrap gives the cause.
func (e *SkippedError) Unwrap() error { return e.error }

// FileError says why a file or folder cannot be read.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// fileError of a stream that could not be read to its end, which has its name before the cause.
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

// plainPath leaves out which call of the operating system failed, and names the file once: "lstat a: no such file" says
// nothing more than "a: no such file".
func plainPathError(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &FileError{at.Path, at.Err}
	}
	return err
}

// asNamed is plainPath of what has a full path, but for whoever has named a file or folder by such
// a one: from the working directory.
func relativePathError(err error, name string) error {
	at, ok := errors.AsType[*fs.PathError](err)
	if here, failed := os.Getwd(); ok && failed == nil && !filepath.IsAbs(name) {
		if path, failed := filepath.Rel(here, at.Path); failed == nil {
			at.Path = path
		}
	}
	return plainPathError(err)
}
