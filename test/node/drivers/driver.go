package drivers

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/claimbridge/claimbridge/test/node/image"
	"github.com/claimbridge/claimbridge/test/programs"
)

// Old is the driver of Kubernetes 1.32, whose client and whose protocol with the kubelet are v1beta1; New that of 1.34, which speaks v1.
const (
	Old = "v0.1.0"
	New = "v0.2.1"
)

// plugin is the part of the driver that runs on nodes. It has no other.
const plugin = "sigs.k8s.io/dra-example-driver/cmd/dra-example-kubeletplugin"

// modfiles of the versions, in the folder dra-example-driver: each links a Kubernetes of its own.
var modfiles = map[string]string{Old: "v0.1.0.mod", New: "go.mod"}

// driver of a version, as a program.
func driver(version string) (programs.Set, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return programs.Set{}, fmt.Errorf("the source of this package is not there")
	}
	modfile := modfiles[version]
	sources := []string{modfile, strings.TrimSuffix(modfile, ".mod") + ".sum"}
	return programs.Set{
		Name: "drivers/" + version, Patience: "building the example DRA driver " + version + " once, which takes some two minutes on two cores, and downloads",
		Programs: []programs.Program{{
			Name: "driver", Dir: filepath.Join(filepath.Dir(file), "dra-example-driver"), Sources: sources,
			Args: []string{"-modfile=" + modfile, "-trimpath", "-ldflags", "-s -w", plugin}, Env: []string{"CGO_ENABLED=0"},
		}},
	}, nil
}

// Driver is the image kit.local/dra-example-driver of a version.
func Driver(version string) func(context.Context) (archive, name string, err error) {
	return func(ctx context.Context) (archive, name string, err error) {
		name = "kit.local/dra-example-driver:" + version
		set, err := driver(version)
		if err != nil {
			return "", name, err
		}
		folder, err := set.Folder(ctx)
		if err != nil {
			return "", name, err
		}
		// Root: the driver writes into folders of the kubelet.
		archive, err = image.Build(ctx, name, filepath.Join(folder, "driver"), "--user=0:0")
		return archive, name, err
	}
}

// Devices is the image kit.local/devices, of a program that prints the devices that a pod has.
func Devices(ctx context.Context) (archive, name string, err error) {
	name = "kit.local/devices:v1"
	archive, err = image.Package(ctx, name, "./test/node/drivers/devices")
	return archive, name, err
}
