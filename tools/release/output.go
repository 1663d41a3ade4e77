package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// mayReplace says whether the output is nobody else's: it is not there, or empty, or holds this version of claimbridge as it was made
// before, and nothing beside it. What somebody changed in it, signed or put there is not made again, and another version may be gone for good.
func (r *release) mayReplace() error {
	files, err := os.ReadDir(r.output)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(files) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("--output=%s: would be emptied, and %s: move it away, or name another folder", r.output, fmt.Sprintf(format, args...))
	}
	for _, file := range files {
		if !file.Type().IsRegular() {
			return refuse("%s in it is of no release, which has files alone", file.Name())
		}
	}
	version, err := versionIn(r.output)
	if err != nil {
		return refuse("is no release: %v", err)
	}
	if version != r.version {
		return refuse("has the release %s, which is not the one that is made", version)
	}
	text, err := os.ReadFile(filepath.Join(r.output, sumsFile))
	if err != nil {
		return refuse("is no release: %v", err)
	}
	known := map[string]string{} // sums by name
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		known[name] = sum
	}
	for _, file := range files {
		name := file.Name()
		if name == sumsFile {
			continue
		}
		content, err := os.ReadFile(filepath.Join(r.output, name))
		if err != nil {
			return fmt.Errorf("--output: %w", err)
		}
		if digest := sha256.Sum256(content); known[name] == "" {
			return refuse("%s in it is of no release", name)
		} else if known[name] != hex.EncodeToString(digest[:]) {
			return refuse("%s in it is not as the release had it", name)
		}
	}
	return nil
}

// versionIn a folder of a release of claimbridge, by its provenance, which is nobody else's.
func versionIn(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, provenanceFile))
	if err != nil {
		return "", err
	}
	var statement struct {
		Predicate struct {
			BuildDefinition struct {
				ExternalParameters struct{ Repository, Version string }
			}
		}
	}
	if err := json.Unmarshal(text, &statement); err != nil {
		return "", fmt.Errorf("%s: %w", provenanceFile, err)
	}
	made := statement.Predicate.BuildDefinition.ExternalParameters
	if made.Repository != repository {
		return "", fmt.Errorf("%s is not of %s", provenanceFile, repository)
	}
	return made.Version, nil
}

// replace a folder, or what is not there, by another one beside it. Where that fails the folder is as it was: a mount point, say, cannot be moved.
func replace(staging, output string) error {
	before := staging + "-before"
	switch err := os.Rename(output, before); {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(staging, output)
	case err != nil:
		return fmt.Errorf("--output: %w; a folder in it will do", err)
	}
	if err := os.Rename(staging, output); err != nil {
		return errors.Join(err, os.Rename(before, output))
	}
	return os.RemoveAll(before)
}
