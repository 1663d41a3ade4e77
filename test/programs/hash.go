package programs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// hash returns a hash of the sources, the module files, the flags and the compiler.
func (s Set) hash(ctx context.Context) (string, error) {
	compiler, err := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		return "", fmt.Errorf("get the version of Go: %w", err)
	}
	sum := sha256.New()
	sum.Write(bytes.TrimSpace(compiler))
	for _, p := range s.Programs {
		fmt.Fprintf(sum, "\n%q %q %q\n", p.Name, p.Args, p.Env)
		for _, file := range p.Sources {
			data, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return "", fmt.Errorf("source of %s: %w", p.Name, err)
			}
			fmt.Fprintf(sum, "\n%s %d\n", file, len(data))
			sum.Write(data)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}
