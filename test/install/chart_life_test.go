//go:build e2e

package install

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// upgrades a release, and rolls back: first the server, then the definitions.
func (l *life) upgrades(t *testing.T) {
	bundles := l.bundles(t)
	upgrade := func(values ...string) { l.h.run(t, slices.Concat([]string{"upgrade", "mine"}, l.values(), values)...) }
	upgrade("--set=replicas=3", "--set=kubernetesRelease=1.34")
	l.alive(t, "upgrade")
	if got := l.Kubectl(t, nil, "get", "deployment", "claimbridge", "-n", namespace, "-o",
		"jsonpath={.spec.replicas} {.spec.template.spec.containers[0].args}"); !strings.HasPrefix(got, "3 ") ||
		!strings.Contains(got, "--kubernetes-release=1.34") {
		t.Errorf("after the upgrade: %s", got)
	}
	l.h.run(t, "rollback", "mine", "1", "--namespace="+namespace)
	l.alive(t, "rollback")
	if got := l.Kubectl(t, nil, "get", "deployment", "claimbridge", "-n", namespace, "-o",
		"jsonpath={.spec.replicas}"); got != "2" {
		t.Errorf("after the rollback: %s replicas", got)
	}
	upgrade("--set=definitions.install=false")
	l.alive(t, "upgrade of the server alone")
	upgrade()
	l.alive(t, "upgrade of the definitions after it")
	if got := l.bundles(t); !slices.Equal(got, bundles) {
		t.Errorf("the caBundles were %s and are %s", bundles, got)
	}
}

// sizeOfTheRelease checks the size of the release, which Helm stores in a Secret. etcd accepts at most a mebibyte, so a
// larger chart cannot be installed.
func (l *life) sizeOfTheRelease(t *testing.T) {
	t.Helper()
	size := len(l.Kubectl(t, nil, "get", "secret", "sh.helm.release.v1.mine.v1", "-n", namespace, "-o",
		"jsonpath={.data.release}"))
	t.Logf("the Secret of the release has %d KiB", size>>10)
	if most := 512 << 10; size > most {
		t.Errorf("the Secret of the release has %d bytes, more than half of what an API server takes", size)
	}
}

// uninstallCommands returns the commands of the documentation that keep the claims and the permissions to use them.
func (l *life) uninstallCommands(t *testing.T) (commands []string) {
	t.Helper()
	steps := chapter(t, "operations.md", "Uninstall")
	if len(steps) != 6 {
		t.Fatalf("the page has %d blocks of commands; this test knows six: conversion, configurations, server, "+
			"policy, back, claims",
			len(steps))
	}
	if l.helm == "" {
		return steps[:4]
	}
	commands = append(commands, l.h.shell()+steps[0])
	for _, block := range chapter(t, "chart.md", "Uninstall") {
		if strings.Contains(block, "helm template") {
			continue // the way back
		}
		commands = append(commands,
			l.h.shell()+strings.ReplaceAll(block, "helm uninstall claimbridge ", "helm uninstall mine "))
	}
	if len(commands) != 2 {
		t.Fatalf("the page has %q", commands)
	}
	return commands
}

// inBundle reports whether a caBundle, in base64, has a certificate.
func inBundle(bundle string, certificate []byte) bool {
	text, err := base64.StdEncoding.DecodeString(bundle)
	return err == nil && bytes.Contains(text, bytes.TrimSpace(certificate))
}

// reachable returns a copy of the chart for a control plane without nodes: its Service refers to a port of this
// machine.
func reachable(t *testing.T, port int) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), filepath.Base(chartFolder))
	must.Do(t, os.CopyFS(folder, os.DirFS(chartFolder)))
	changed := 0
	for _, name := range []string{"crds", "webhooks"} {
		file := filepath.Join(folder, "templates", name+".yaml")
		text := must.Get(os.ReadFile(file))(t)
		changed += bytes.Count(text, []byte("port: 443\n"))
		must.Do(t,
			os.WriteFile(file, bytes.ReplaceAll(text, []byte("port: 443\n"), fmt.Appendf(nil, "port: %d\n", port)),
				0o600))
	}
	if changed != 3 {
		t.Fatalf("the template of definitions and two webhook configurations name a port, not %d objects", changed)
	}
	return folder
}
