package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// sumsFile has the checksums of all other files.
const sumsFile = "SHA256SUMS"

// sumOf returns the SHA-256 sum in hexadecimal.
func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// addFile writes a file of the release, and stores its checksum.
func (r *release) addFile(name string, content []byte) error {
	if r.sums == nil {
		r.sums = map[string]string{}
	}
	r.sums[name] = sumOf(content)
	return os.WriteFile(filepath.Join(r.staging, name), content, 0o644)
}

// writeChecksums writes the checksums in the format of sha256sum --check.
func (r *release) writeChecksums(context.Context) error {
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Fprintf(&text, "%s  %s\n", r.sums[name], name)
	}
	return r.addFile(sumsFile, text.Bytes())
}
