package drivers

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/programs"
)

// Versions of the driver: of Kubernetes 1.32, whose client and whose protocol with the kubelet are
// v1beta1, and of 1.36, where they are v1.
const (
	Older = "v0.1.0"
	newer = "v0.4.0"
)

// modules that build them.
var modules = map[string]string{Older: "dra-example-driver", newer: "dra-example-driver-v1"}

// plugin is the part of the driver that runs on nodes. It has no other.
const plugin = "sigs.k8s.io/dra-example-driver/cmd/dra-example-kubeletplugin"

// driver as a program.
func driver(version string) programs.Set {
	return programs.Set{
		Name: "drivers/" + version,
		Notice: "building the example DRA driver " + version +
			" once, which takes some two minutes on two cores, and downloads",
		Programs: []programs.Program{{
			Name:    "driver",
			Dir:     filepath.Join(programs.Root(), "test", "node", "drivers", modules[version]),
			Sources: []string{"go.mod", "go.sum"},
			Args:    []string{"-trimpath", "-ldflags", "-s -w", plugin}, Env: []string{"CGO_ENABLED=0"},
		}},
	}
}

// Driver makes the image kit.local/dra-example-driver of a version, in an archive in a folder.
func Driver(version string) func(ctx context.Context, to string) (archive, name string, err error) {
	return func(ctx context.Context, to string) (archive, name string, err error) {
		name = "kit.local/dra-example-driver:" + version
		folder, err := driver(version).Folder(ctx)
		if err != nil {
			return "", name, err
		}
		// Root: the driver writes into folders of the kubelet.
		archive, err = image.Build(ctx, to, name, filepath.Join(folder, "driver"), "--user=0:0")
		return archive, name, err
	}
}

// Devices is the image kit.local/devices, of a program that prints the devices that a pod has.
func Devices(ctx context.Context, to string) (archive, name string, err error) {
	name = "kit.local/devices:v1"
	archive, err = image.BuildPackage(ctx, to, name, "./test/node/drivers/devices")
	return archive, name, err
}
