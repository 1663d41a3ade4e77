package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// When a file cannot be put back, what was there stays under the other name that it has, and the
// error says which: it is all there is.
func TestWhatCannotBePutBackIsKept(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"a", "c"} {
		write(t, at(name), "old "+name, 0o600)
	}
	a, c := stage(t, at("a"), "new a"), stage(t, at("c"), "new c")
	must.Do(t, os.Mkdir(at("full"), 0o700))
	write(t, at("full/of"), "it", 0o600)
	write(t, at("c"), "somebody's own", 0o600) // so that c is not put
	// Meanwhile somebody moves a away, and a folder is there that nothing can take the place of.
	away := &Staged{Location: At(at("away")), temporary: at("a")}
	inTheWay := &Staged{Location: At(at("a")), temporary: at("full")}
	err := ReplaceAll([]*Staged{a, away, inTheWay, c})
	if err == nil {
		t.Fatal("all were put")
	}
	_, backup, found := strings.Cut(err.Error(), "what was there is in "+folder)
	if !found {
		t.Fatalf("it is not said where it is: %v", err)
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		if _, name, found := strings.Cut(line, "what was there is in "); found && name != "" {
			backup = name
		}
	}
	if text, err := os.ReadFile(backup); err != nil || string(text) != "old a" {
		t.Errorf("%s: %q, %v", backup, text, err)
	}
}
