package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// sumsFile has the sums of all others.
const sumsFile = "SHA256SUMS"

// sums of all files of the release so far, by name.
type sum struct{ name, sha256 string }

func (r *release) sums() (all []sum, err error) {
	files, err := os.ReadDir(r.staging) // in the order of their names
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(r.staging, file.Name()))
		if err != nil {
			return nil, err
		}
		digest := sha256.Sum256(content)
		all = append(all, sum{file.Name(), hex.EncodeToString(digest[:])})
	}
	return all, nil
}

// makeChecksums as sha256sum --check reads them.
func (r *release) makeChecksums(context.Context) error {
	all, err := r.sums()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, s := range all {
		fmt.Fprintf(&text, "%s  %s\n", s.sha256, s.name)
	}
	return r.put(sumsFile, text.Bytes())
}
