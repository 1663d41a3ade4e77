//go:build e2e

package troubleshooting

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

// other API server of a cluster, by the flags of the first but that it serves v1beta1 in-tree.
type other struct {
	*cluster
	port    int
	process *exec.Cmd
}

func (o *other) address() string { return fmt.Sprintf("https://127.0.0.1:%d", o.port) }

// command of sessions: other start, other stop.
func (o *other) command(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(o.stop())
	if len(args) == 1 && args[0] == "start" {
		ts.Check(o.start())
	}
}

// start it, and do not wait: some never get ready, which is what sessions are about.
func (o *other) start() error {
	args, err := o.flags()
	if err != nil {
		return err
	}
	o.process = exec.Command(filepath.Join(os.Getenv(controlplane.EnvAssets), programs.File("kube-apiserver")), append(args,
		fmt.Sprintf("--secure-port=%d", o.port), "--runtime-config=resource.k8s.io/v1beta1=true", "--audit-log-path="+o.file("other-audit"))...)
	return o.process.Start()
}

// flags of the first API server, which this process has started.
func (o *other) flags() ([]string, error) {
	port := "--secure-port=" + o.Config.Host[strings.LastIndex(o.Config.Host, ":")+1:]
	processes, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil, err
	}
	for _, file := range processes {
		line, err := os.ReadFile(file) // one that has ended is none of ours
		if args := strings.Split(string(bytes.TrimRight(line, "\x00")), "\x00"); err == nil && strings.Contains(args[0], "kube-apiserver") {
			for _, arg := range args {
				if arg == port && strings.Contains(string(line), o.Audit) {
					return args[1:], nil
				}
			}
		}
	}
	return nil, errors.New("the control plane's kube-apiserver is not among the processes of this machine")
}

func (o *other) stop() error {
	if o.process == nil {
		return nil
	}
	process := o.process
	o.process = nil
	ended := make(chan struct{})
	go func() { _ = process.Wait(); close(ended) }()
	if err := process.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-ended:
		return nil
	case <-time.After(5 * time.Second): // one that is not ready may take its time
		return process.Process.Kill()
	}
}
