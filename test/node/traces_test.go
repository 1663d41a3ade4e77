//go:build node && linux

package node

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/test/testkit/await"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// traces of a node on the machine, by what they are.
func traces(t *testing.T, n *spec) map[string]string {
	t.Helper()
	found := map[string]string{}
	exists := func(what, path string) {
		if _, err := os.Stat(path); err == nil {
			found[what] = path
		}
	}
	exists("link", filepath.Join("/sys/class/net", n.Link))
	exists("folder", n.Folder)
	exists("place", places+strings.TrimPrefix(n.Name, "claimbridge-node-"))
	for _, pattern := range []string{"/sys/fs/cgroup/", "/sys/fs/cgroup/*/"} { // version 2, and 1
		folders, err := filepath.Glob(pattern + n.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			exists("cgroup", folder)
		}
	}
	all := must.Get(routes(t.Context()))(t)
	for _, route := range all {
		if route == n.Pods || route == n.Services {
			found["route"] = route.String()
		}
	}
	// Every process in the node sees its folder, bound to a path there; none outside does.
	files := must.Get(filepath.Glob("/proc/[0-9]*/mountinfo"))(t)
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(filepath.Base(n.Folder)+" ")) {
			found["process"] = filepath.Dir(file)
		}
	}
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil || bytes.Contains(data, []byte(filepath.Base(n.Folder))) {
		found["mount"] = fmt.Sprintf("%v", err)
	}
	return found
}

// wantTraces of all kinds but mounts, which are seen in the node alone: what is looked for is really found where it is.
func wantTraces(t *testing.T, n *spec) {
	t.Helper()
	got := slices.Sorted(maps.Keys(traces(t, n)))
	if want := []string{"cgroup", "folder", "link", "place", "process", "route"}; !slices.Equal(got, want) {
		t.Errorf("of a node that runs want %q, got %q", want, got)
	}
}

// wantNone of the traces, after a while.
func wantNone(t *testing.T, n *spec) {
	t.Helper()
	await.NoError(t, "nothing is left behind", func() error {
		if left := traces(t, n); len(left) > 0 {
			return fmt.Errorf("there is %v", left)
		}
		return nil
	})
}

// settings of the machine that only an administrator changes.
func settings(t *testing.T) map[string]string {
	t.Helper()
	// What counts, what is drawn, and what belongs to links of nodes.
	moving := []string{
		"nr", "random/", "last_pid", "-state", "_count", "cb-node-", "perf_event_max_sample_rate", "cad_pid",
	}
	all := map[string]string{}
	must.Do(t, filepath.WalkDir("/proc/sys", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || slices.ContainsFunc(moving, func(part string) bool {
			return strings.Contains(path, part)
		}) {
			return nil //nolint:nilerr // what is gone by now
		}
		if data, err := os.ReadFile(path); err == nil {
			all[path] = string(data)
		}
		return nil
	}))
	if len(all) < 100 {
		t.Fatalf("only %d settings", len(all))
	}
	return all
}
