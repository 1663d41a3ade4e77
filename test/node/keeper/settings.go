//go:build linux

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// wanted by a kubelet of a machine of its own (pkg/kubelet/cm, setupKernelTunables). It would set what it finds otherwise, for the whole
// machine: no namespace has these settings of its own. So it finds them as it likes them, in files over the real ones.
var wanted = map[string]string{
	"vm/overcommit_memory":      "1",
	"vm/panic_on_oom":           "0",
	"kernel/panic":              "10",
	"kernel/panic_on_oops":      "1",
	"kernel/keys/root_maxkeys":  "1000000",
	"kernel/keys/root_maxbytes": "25000000",
}

func settings(at func(string) string) error {
	for name, value := range wanted {
		file := filepath.Join(at("/node/settings"), name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(value+"\n"), 0o600); err != nil {
			return err
		}
		if err := syscall.Mount(file, filepath.Join(at("/proc/sys"), name), "", syscall.MS_BIND, ""); err != nil {
			return err
		}
	}
	return nil
}
