package node

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

// folders with programs: those of the control plane, those of the node, and our own.
type folders struct{ plane, node, own, keeper string }

// build what nobody has built before.
func build(ctx context.Context) (f folders, err error) {
	sets, err := sets(ctx)
	if err != nil {
		return f, err
	}
	for i, folder := range []*string{&f.plane, &f.node, &f.own} {
		if *folder, err = sets[i].Folder(ctx); err != nil {
			return f, err
		}
	}
	f.keeper = filepath.Join(f.own, "keeper")
	return f, nil
}

// built tells whether all programs are that take minutes to build.
func built(ctx context.Context) (bool, error) {
	sets, err := sets(ctx)
	if err != nil {
		return false, err
	}
	for _, set := range sets[:2] {
		if ok, err := set.Built(ctx); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func sets(ctx context.Context) ([]programs.Set, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return nil, fmt.Errorf("the source of this package is not there")
	}
	here := filepath.Dir(file)
	plane, err := controlplane.Programs(ctx)
	if err != nil {
		return nil, err
	}
	kubernetes, err := controlplane.Node(ctx)
	if err != nil {
		return nil, err
	}
	own, err := ownPrograms(here)
	if err != nil {
		return nil, err
	}
	return []programs.Set{plane, {
		Name:     "node",
		Patience: "building a kubelet, containerd, runc and what else a node needs once, which takes about five minutes on two cores, and downloads",
		Programs: append(kubernetes, foreign(here)...),
	}, {Name: "keeper", Patience: "building what keeps nodes", Programs: own}}, nil
}

// foreign programs that are not Kubernetes' own, which one module pins.
func foreign(here string) (all []programs.Program) {
	for _, p := range []struct {
		path  string
		flags []string
		cgo   string
	}{
		// File systems that no node of ours has, and that need C libraries.
		{"github.com/containerd/containerd/v2/cmd/containerd", []string{"-tags=no_btrfs,no_devmapper,no_zfs,no_aufs"}, "0"},
		{"github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2", []string{"-tags=no_btrfs,no_devmapper,no_zfs,no_aufs"}, "0"},
		{"github.com/containerd/containerd/v2/cmd/ctr", []string{"-tags=no_btrfs,no_devmapper,no_zfs,no_aufs"}, "0"},
		{"github.com/containernetworking/plugins/plugins/main/ptp", nil, "0"},
		{"github.com/containernetworking/plugins/plugins/main/loopback", nil, "0"},
		{"github.com/containernetworking/plugins/plugins/ipam/host-local", nil, "0"},
		{"github.com/opencontainers/runc", []string{"-tags=seccomp"}, "1"}, // its first steps are in C
	} {
		all = append(all, programs.Program{
			Name: filepath.Base(p.path), Dir: filepath.Join(here, "runtime"), Sources: []string{"go.mod", "go.sum"},
			Args: append(append([]string{"-trimpath", "-ldflags=-s -w"}, p.flags...), p.path), Env: []string{"CGO_ENABLED=" + p.cgo},
		})
	}
	return all
}

// ownPrograms are in this module: keeper and pause.
func ownPrograms(here string) (all []programs.Program, err error) {
	for _, own := range []struct {
		name    string
		sources []string
	}{{"keeper", []string{"keeper/*.go", "internal/*/*.go"}}, {"pause", []string{"pause/*.go"}}} {
		p := programs.Program{Name: own.name, Dir: here, Args: []string{"-trimpath", "-ldflags=-s -w", "./" + own.name}, Env: []string{"CGO_ENABLED=0"}}
		for _, pattern := range own.sources {
			files, err := filepath.Glob(filepath.Join(here, pattern))
			if err != nil {
				return nil, err
			}
			for _, file := range files {
				relative, err := filepath.Rel(here, file)
				if err != nil {
					return nil, err
				}
				p.Sources = append(p.Sources, relative)
			}
		}
		all = append(all, p)
	}
	return all, nil
}
