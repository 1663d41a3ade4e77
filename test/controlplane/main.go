package controlplane

import (
	"context"
	"fmt"
	"os"
)

// Main is the TestMain of packages whose tests start a control plane: it sets the variable by which envtest finds the
// programs, and runs the tests. The result is the exit code.
func Main(m interface{ Run() int }) int {
	assets, err := Assets(context.Background())
	if err == nil {
		err = os.Setenv(EnvAssets, assets)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "no control plane for tests, see make envtest:", err)
		return 1
	}
	return m.Run()
}
