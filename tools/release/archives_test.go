package main

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
	"time"
)

func TestPackZip(t *testing.T) {
	modTime := time.Date(2026, 11, 22, 18, 0, 1, 0, time.UTC)
	entries := []entry{
		{Name: "claimbridge.exe", Mode: 0o755, Content: []byte("program")},
		{Name: "licenses/std/LICENSE", Mode: 0o644, Content: bytes.Repeat([]byte("text "), 1000)},
	}
	packed := must(packZip(entries, modTime))(t)
	if second := must(packZip(entries, modTime))(t); !bytes.Equal(packed, second) {
		t.Errorf("the second zip of %d bytes differs from the first of %d bytes", len(second), len(packed))
	}
	r := must(zip.NewReader(bytes.NewReader(packed), int64(len(packed))))(t)
	if len(r.File) != len(entries) {
		t.Fatalf("got %d files, want %d", len(r.File), len(entries))
	}
	for i, file := range r.File {
		content := must(io.ReadAll(must(file.Open())(t)))(t)
		want := entries[i]
		if file.Name != want.Name || file.Mode() != want.Mode {
			t.Errorf("file %d: got %s with mode %s, want %s with mode %s", i, file.Name, file.Mode(), want.Name, want.Mode)
		}
		if !bytes.Equal(content, want.Content) {
			t.Errorf("%s: got the content %.100q, want %.100q", file.Name, content, want.Content)
		}
		if !file.Modified.Equal(modTime) {
			t.Errorf("%s: got the modification time %s, want %s", file.Name, file.Modified, modTime)
		}
	}
}
