package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// When a file cannot be restored, its backup stays, and the error says where: it is the only copy.
func TestABackupThatCannotBeRestoredIsKept(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "c"} {
		write(t, at(name), "old "+name, 0o600)
	}
	a, c := stage(t, at("a"), "new a"), stage(t, at("c"), "new c")
	must.Do(t, os.Mkdir(at("full"), 0o700))
	write(t, at("full/of"), "it", 0o600)
	write(t, at("c"), "of another process", 0o600) // so that c is not replaced
	// Meanwhile another process moves a away, and a directory stands in its place, which no file can replace.
	away := &Staged{Location: At(at("away")), temporary: at("a")}
	inTheWay := &Staged{Location: At(at("a")), temporary: at("full")}
	err := ReplaceAll([]*Staged{a, away, inTheWay, c})
	if err == nil {
		t.Fatal("all files were replaced")
	}
	_, backup, found := strings.Cut(err.Error(), "copy its original content back from "+dir)
	if !found {
		t.Fatalf("the error does not name the backup: %v", err)
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		if _, name, found := strings.Cut(line, "copy its original content back from "); found && name != "" {
			backup = name
		}
	}
	if text, err := os.ReadFile(backup); err != nil || string(text) != "old a" {
		t.Errorf("%s: %q, %v", backup, text, err)
	}
}
