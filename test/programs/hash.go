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

// hash returns a hash of all inputs of the set: sources, arguments, environment variables and the compiler.
func (s Set) hash(ctx context.Context) (string, error) {
	compiler, err := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		return "", fmt.Errorf("get the version of Go: %w", err)
	}
	hash := sha256.New()
	hash.Write(bytes.TrimSpace(compiler))
	for _, p := range s.Programs {
		fmt.Fprintf(hash, "\n%q %q %q\n", p.Name, p.Args, p.Env)
		for _, file := range p.Sources {
			data, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return "", fmt.Errorf("source of %s: %w", p.Name, err)
			}
			fmt.Fprintf(hash, "\n%s %d\n", file, len(data))
			hash.Write(data)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}
