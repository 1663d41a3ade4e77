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

// upgradeAndRollBack upgrades a release and rolls it back. Then it upgrades first the server, and after it the CRDs.
func (l *lifecycle) upgradeAndRollBack(t *testing.T) {
	caBundles := l.caBundles(t)
	upgrade := func(flags ...string) {
		l.helm.run(t, slices.Concat([]string{"upgrade", "mine"}, l.chartArgs(), flags)...)
	}
	upgrade("--set=replicas=3", "--set=kubernetesRelease=1.34")
	l.checkClaims(t, "upgrade")
	got := l.Kubectl(t, nil, "get", "deployment", "claimbridge", "-n", namespace, "-o",
		"jsonpath={.spec.replicas} {.spec.template.spec.containers[0].args}")
	if !strings.HasPrefix(got, "3 ") || !strings.Contains(got, "--kubernetes-release=1.34") {
		t.Errorf("after the upgrade: got replicas and arguments %s, want 3 and --kubernetes-release=1.34", got)
	}
	l.helm.run(t, "rollback", "mine", "1", "--namespace="+namespace)
	l.checkClaims(t, "rollback")
	replicas := l.Kubectl(t, nil, "get", "deployment", "claimbridge", "-n", namespace, "-o", "jsonpath={.spec.replicas}")
	if replicas != "2" {
		t.Errorf("after the rollback: got %s replicas, want 2", replicas)
	}
	upgrade("--set=definitions.install=false")
	l.checkClaims(t, "upgrade of the server")
	upgrade()
	l.checkClaims(t, "upgrade of the CRDs")
	if got := l.caBundles(t); !slices.Equal(got, caBundles) {
		t.Errorf("the upgrades changed the caBundles: got %s, want %s", got, caBundles)
	}
}

// checkReleaseSize checks the size of the release, which Helm stores in a Secret. etcd accepts at most a mebibyte, so a
// larger chart cannot be installed.
func (l *lifecycle) checkReleaseSize(t *testing.T) {
	t.Helper()
	size := len(l.Kubectl(t, nil, "get", "secret", "sh.helm.release.v1.mine.v1", "-n", namespace, "-o",
		"jsonpath={.data.release}"))
	t.Logf("the Secret of the release has %d KiB", size>>10)
	if limit := 512 << 10; size > limit {
		t.Errorf("the Secret of the release has %d bytes, want at most %d, half of what an API server accepts", size, limit)
	}
}

// uninstallCommands returns the documented commands that uninstall everything except the claims and the permissions to
// use them.
func (l *lifecycle) uninstallCommands(t *testing.T) (commands []string) {
	t.Helper()
	steps := commandBlocks(t, "operations.md", "Uninstall")
	if len(steps) != 6 {
		t.Fatalf("docs/operations.md: got %d blocks of commands to uninstall, want 6: conversion, webhook "+
			"configurations, server, policy, reinstall, claims", len(steps))
	}
	if l.helmVersion == "" {
		return steps[:4]
	}
	commands = append(commands, l.helm.shellFunction()+steps[0])
	for _, block := range commandBlocks(t, "chart.md", "Uninstall") {
		if strings.Contains(block, "helm template") {
			continue // it reinstalls
		}
		commands = append(commands,
			l.helm.shellFunction()+strings.ReplaceAll(block, "helm uninstall claimbridge ", "helm uninstall mine "))
	}
	if len(commands) != 2 {
		t.Fatalf("got %d commands to uninstall the chart, want 2: %q", len(commands), commands)
	}
	return commands
}

// bundleContains reports whether a caBundle, in base64, contains a certificate.
func bundleContains(bundle string, certificate []byte) bool {
	text, err := base64.StdEncoding.DecodeString(bundle)
	return err == nil && bytes.Contains(text, bytes.TrimSpace(certificate))
}

// chartWithPort returns a copy of the chart for a control plane without nodes. Its CRDs and webhook configurations use
// a port of this machine.
func chartWithPort(t *testing.T, port int) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), filepath.Base(chartFolder))
	must.Do(t, os.CopyFS(folder, os.DirFS(chartFolder)))
	replacements := 0
	for _, name := range []string{"crds", "webhooks"} {
		file := filepath.Join(folder, "templates", name+".yaml")
		text := must.Get(os.ReadFile(file))(t)
		replacements += bytes.Count(text, []byte("port: 443\n"))
		text = bytes.ReplaceAll(text, []byte("port: 443\n"), fmt.Appendf(nil, "port: %d\n", port))
		must.Do(t, os.WriteFile(file, text, 0o600))
	}
	if replacements != 3 {
		t.Fatalf("replaced %d ports, want 3: of the CRDs and of two webhook configurations", replacements)
	}
	return folder
}
