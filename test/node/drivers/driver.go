package drivers

import (
	"context"
	"path/filepath"

	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/programs"
)

// Versions of the driver. The client and the kubelet protocol are v1beta1 in the one for Kubernetes 1.32, and v1 in the
// one for 1.36.
const (
	V1Beta1Version = "v0.1.0"
	v1Version      = "v0.4.0"
)

// modules are the folders of the Go modules that build a version of the driver.
var modules = map[string]string{V1Beta1Version: "dra-example-driver", v1Version: "dra-example-driver-v1"}

// plugin is the kubelet plugin, which is the whole driver.
const plugin = "sigs.k8s.io/dra-example-driver/cmd/dra-example-kubeletplugin"

// driverProgram returns the program of a version of the driver.
func driverProgram(version string) programs.Set {
	return programs.Set{
		Name: "drivers/" + version,
		Notice: "building the example DRA driver " + version +
			" once, which takes about two minutes on two cores, and downloads",
		Programs: []programs.Program{{
			Name:    "driver",
			Dir:     filepath.Join(programs.Root(), "test", "node", "drivers", modules[version]),
			Sources: []string{"go.mod", "go.sum"},
			Args:    []string{"-trimpath", "-ldflags", "-s -w", plugin}, Env: []string{"CGO_ENABLED=0"},
		}},
	}
}

// DriverImage returns a function that builds the image kit.local/dra-example-driver of a version, as an archive in a
// folder.
func DriverImage(version string) func(ctx context.Context, imageFolder string) (archive, name string, err error) {
	return func(ctx context.Context, imageFolder string) (archive, name string, err error) {
		name = "kit.local/dra-example-driver:" + version
		programFolder, err := driverProgram(version).Folder(ctx)
		if err != nil {
			return "", name, err
		}
		// The driver runs as root, because it writes into folders of the kubelet.
		archive, err = image.Build(ctx, imageFolder, name, filepath.Join(programFolder, "driver"), "--user=0:0")
		return archive, name, err
	}
}

// DevicesImage builds the image kit.local/devices. Its program prints the devices of the pod.
func DevicesImage(ctx context.Context, to string) (archive, name string, err error) {
	name = "kit.local/devices:v1"
	archive, err = image.BuildPackage(ctx, to, name, "./test/node/drivers/devices")
	return archive, name, err
}
