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

// sumsFile has the sums of all others.
const sumsFile = "SHA256SUMS"

func sumOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// put a file into the release.
func (r *release) put(name string, content []byte) error {
	if r.sums == nil {
		r.sums = map[string]string{}
	}
	r.sums[name] = sumOf(content)
	return os.WriteFile(filepath.Join(r.staging, name), content, 0o644)
}

// makeChecksums as sha256sum --check reads them.
func (r *release) makeChecksums(context.Context) error {
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(r.sums)) {
		fmt.Fprintf(&text, "%s  %s\n", r.sums[name], name)
	}
	return r.put(sumsFile, text.Bytes())
}
