package needs

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

// Folders with programs: those of the control plane, and those of the node.
type Folders struct{ Plane, Node string }

// Build the programs of a cluster that were not built before.
func Build(ctx context.Context) (f Folders, err error) {
	sets, err := sets(ctx)
	if err != nil {
		return f, err
	}
	for i, folder := range []*string{&f.Plane, &f.Node} {
		if *folder, err = sets[i].Folder(ctx); err != nil {
			return f, err
		}
	}
	return f, nil
}

// built tells whether all programs are that take minutes to build.
func built(ctx context.Context) (bool, error) {
	sets, err := sets(ctx)
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

func sets(ctx context.Context) ([]programs.Set, error) {
	plane, err := controlplane.Programs(ctx)
	if err != nil {
		return nil, err
	}
	kubernetes, err := controlplane.Node(ctx)
	if err != nil {
		return nil, err
	}
	return []programs.Set{plane, {
		Name: "node",
		Patience: "building a kubelet, containerd, runc and what else a node needs once, which takes about five " +
			"minutes on two cores, and downloads",
		Programs: append(kubernetes, foreign()...),
	}}, nil
}

// Here is the folder of package node.
func Here() string { return filepath.Join(programs.Root(), "test", "node") }

// foreign programs that are not Kubernetes' own, which one module pins.
func foreign() (all []programs.Program) {
	for _, p := range []struct {
		path  string
		flags []string
		cgo   string
	}{
		// File systems that no node has, and that need C libraries.
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
		{"github.com/opencontainers/runc", []string{"-tags=seccomp"}, "1"}, // its first steps are in C
	} {
		all = append(all, programs.Program{
			Name: filepath.Base(p.path), Dir: filepath.Join(Here(), "runtime"), Sources: []string{"go.mod", "go.sum"},
			Args: append(append([]string{"-trimpath", "-ldflags=-s -w"}, p.flags...), p.path),
			Env:  []string{"CGO_ENABLED=" + p.cgo},
		})
	}
	return all
}
