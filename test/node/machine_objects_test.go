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

// findObjects returns the objects of a node that exist on the machine: an example of each kind.
func findObjects(t *testing.T, n *spec) map[string]string {
	t.Helper()
	found := map[string]string{}
	addIfExists := func(kind, path string) {
		if _, err := os.Stat(path); err == nil {
			found[kind] = path
		}
	}
	addIfExists("link", filepath.Join("/sys/class/net", n.Link))
	addIfExists("folder", n.Dir)
	addIfExists("slot", slotPrefix+strings.TrimPrefix(n.Name, "claimbridge-node-"))
	for _, pattern := range []string{"/sys/fs/cgroup/", "/sys/fs/cgroup/*/"} { // cgroups v2 and v1
		folders, err := filepath.Glob(pattern + n.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			addIfExists("cgroup", folder)
		}
	}
	routes := must.Get(listRoutes(t.Context()))(t)
	for _, route := range routes {
		if route == n.Pods || route == n.Services {
			found["route"] = route.String()
		}
	}
	// Only processes in the node have its folder among their mounts.
	files := must.Get(filepath.Glob("/proc/[0-9]*/mountinfo"))(t)
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(data, []byte(filepath.Base(n.Dir)+" ")) {
			found["process"] = filepath.Dir(file)
		}
	}
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil || bytes.Contains(data, []byte(filepath.Base(n.Dir))) {
		found["mount"] = fmt.Sprintf("%v", err)
	}
	return found
}

// expectObjects checks that findObjects finds all kinds of objects of a running node. Mounts are visible only in the
// node.
func expectObjects(t *testing.T, n *spec) {
	t.Helper()
	got := slices.Sorted(maps.Keys(findObjects(t, n)))
	if want := []string{"cgroup", "folder", "link", "process", "route", "slot"}; !slices.Equal(got, want) {
		t.Errorf("objects of a running node: got %q, want %q", got, want)
	}
}

// expectNoObjects waits until no object of the node exists.
func expectNoObjects(t *testing.T, n *spec) {
	t.Helper()
	await.NoError(t, "all objects of the node are deleted", func() error {
		if objects := findObjects(t, n); len(objects) > 0 {
			return fmt.Errorf("got the objects %v, want none", objects)
		}
		return nil
	})
}

// kernelSettings returns the kernel settings of the machine, by path, without those that change by themselves.
func kernelSettings(t *testing.T) map[string]string {
	t.Helper()
	// Counters, random values, and settings of the links of nodes.
	ignored := []string{
		"nr", "random/", "last_pid", "-state", "_count", "cb-node-", "perf_event_max_sample_rate", "cad_pid",
	}
	values := map[string]string{}
	must.Do(t, filepath.WalkDir("/proc/sys", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || slices.ContainsFunc(ignored, func(part string) bool {
			return strings.Contains(path, part)
		}) {
			return nil //nolint:nilerr // a deleted file
		}
		if data, err := os.ReadFile(path); err == nil {
			values[path] = string(data)
		}
		return nil
	}))
	if len(values) < 100 {
		t.Fatalf("got %d kernel settings, want at least 100", len(values))
	}
	return values
}
