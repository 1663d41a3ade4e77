package requirements

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

// ProgramDirs are the folders with the programs of the control plane and of the node.
type ProgramDirs struct{ ControlPlane, Node string }

// BuildPrograms builds the programs of a cluster that are not in the cache, and returns their folders.
func BuildPrograms(ctx context.Context) (d ProgramDirs, err error) {
	sets, err := programSets(ctx)
	if err != nil {
		return d, err
	}
	for i, dir := range []*string{&d.ControlPlane, &d.Node} {
		if *dir, err = sets[i].Folder(ctx); err != nil {
			return d, err
		}
	}
	return d, nil
}

// areBuilt reports whether all programs that take minutes to build are in the cache.
func areBuilt(ctx context.Context) (bool, error) {
	sets, err := programSets(ctx)
	if err != nil {
		return false, err
	}
	for _, set := range sets {
		if ok, err := set.Built(ctx); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// programSets returns the programs of the control plane and those of the node.
func programSets(ctx context.Context) ([]programs.Set, error) {
	plane, err := controlplane.Programs(ctx)
	if err != nil {
		return nil, err
	}
	kubernetes, err := controlplane.NodePrograms(ctx)
	if err != nil {
		return nil, err
	}
	return []programs.Set{plane, {
		Name: "node",
		Notice: "building a kubelet, containerd, runc and what else a node needs once, which takes about five " +
			"minutes on two cores, and downloads",
		Programs: append(kubernetes, runtimePrograms()...),
	}}, nil
}

// NodeDir returns the folder of package node.
func NodeDir() string { return filepath.Join(programs.Root(), "test", "node") }

// runtimePrograms returns the programs that are not part of Kubernetes. The module in test/node/runtime pins them.
func runtimePrograms() (all []programs.Program) {
	for _, p := range []struct {
		path  string
		flags []string
		cgo   string
	}{
		// The tags exclude file systems that need C libraries.
		{
			"github.com/containerd/containerd/v2/cmd/containerd",
			[]string{"-tags=no_btrfs,no_devmapper,no_zfs,no_aufs"},
			"0",
		},
		{
			"github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2",
			[]string{"-tags=no_btrfs,no_devmapper,no_zfs,no_aufs"},
			"0",
		},
		{"github.com/containerd/containerd/v2/cmd/ctr", []string{"-tags=no_btrfs,no_devmapper,no_zfs,no_aufs"}, "0"},
		{"github.com/containernetworking/plugins/plugins/main/ptp", nil, "0"},
		{"github.com/containernetworking/plugins/plugins/main/loopback", nil, "0"},
		{"github.com/containernetworking/plugins/plugins/ipam/host-local", nil, "0"},
		{"github.com/opencontainers/runc", []string{"-tags=seccomp"}, "1"}, // it starts containers with C code
	} {
		all = append(all, programs.Program{
			Name: filepath.Base(p.path), Dir: filepath.Join(NodeDir(), "runtime"),
			Sources: []string{"go.mod", "go.sum"},
			Args:    append(append([]string{"-trimpath", "-ldflags=-s -w"}, p.flags...), p.path),
			Env:     []string{"CGO_ENABLED=" + p.cgo},
		})
	}
	return all
}
