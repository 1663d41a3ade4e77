// Command driver is a DRA driver that is built with Kubernetes 1.32 and can't be upgraded. It publishes one device, and
// prepares claims with it, on a cluster that serves any version of resource.k8s.io that the bridge translates.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	resourceapi "k8s.io/api/resource/v1beta1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
	drapb "k8s.io/kubelet/pkg/apis/dra/v1beta1"

	"github.com/claimbridge/claimbridge/bridge"
)

const driverName = "gpu.example.com"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	config.Wrap(bridge.Transport(bridge.Options{})) // the only change to a driver of 1.32
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	folder := "/var/lib/kubelet/plugins/" + driverName
	plugin, err := kubeletplugin.Start(ctx, []any{driver{}},
		kubeletplugin.DriverName(driverName),
		kubeletplugin.NodeName(os.Getenv("NODE_NAME")),
		kubeletplugin.KubeClient(client),
		kubeletplugin.RegistrarSocketPath("/var/lib/kubelet/plugins_registry/"+driverName+"-reg.sock"),
		kubeletplugin.PluginSocketPath(folder+"/plugin.sock"),
		kubeletplugin.KubeletPluginSocketPath(folder+"/plugin.sock"))
	if err != nil {
		return err
	}
	defer plugin.Stop()
	devices := []resourceapi.Device{{Name: "gpu-0", Basic: &resourceapi.BasicDevice{}}}
	if err := plugin.PublishResources(ctx, kubeletplugin.Resources{Devices: devices}); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// driver prepares every claim with its only device.
type driver struct {
	drapb.UnimplementedDRAPluginServer
}

func (driver) NodePrepareResources(
	_ context.Context, request *drapb.NodePrepareResourcesRequest,
) (*drapb.NodePrepareResourcesResponse, error) {
	response := &drapb.NodePrepareResourcesResponse{Claims: map[string]*drapb.NodePrepareResourceResponse{}}
	for _, claim := range request.Claims {
		response.Claims[claim.UID] = &drapb.NodePrepareResourceResponse{
			Devices: []*drapb.Device{{PoolName: os.Getenv("NODE_NAME"), DeviceName: "gpu-0"}},
		}
	}
	return response, nil
}

func (driver) NodeUnprepareResources(
	_ context.Context, request *drapb.NodeUnprepareResourcesRequest,
) (*drapb.NodeUnprepareResourcesResponse, error) {
	response := &drapb.NodeUnprepareResourcesResponse{Claims: map[string]*drapb.NodeUnprepareResourceResponse{}}
	for _, claim := range request.Claims {
		response.Claims[claim.UID] = &drapb.NodeUnprepareResourceResponse{}
	}
	return response, nil
}
