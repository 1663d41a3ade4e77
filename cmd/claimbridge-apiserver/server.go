package main

import (
	"context"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	genericapiserver "k8s.io/apiserver/pkg/server"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	basecompatibility "k8s.io/component-base/compatibility"
	baseversion "k8s.io/component-base/version"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/caller"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/openapi"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/served"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/transcode"
	"github.com/claimbridge/claimbridge/internal/build"
	"github.com/claimbridge/claimbridge/validation"
)

// run the server until ctx is done. It listens once the store has answered.
func (o *options) run(ctx context.Context) error {
	cluster, err := o.cluster()
	if err != nil {
		return err
	}
	metrics.Register()
	program := build.Version()
	metrics.Build(program.GitVersion, program.GitCommit, program.GoVersion)
	aside, err := newAside(cluster, o.versions)
	if err != nil {
		return err
	}
	versions, err := aside.start(ctx)
	if err != nil {
		return err
	}
	klog.InfoS("Starting", "version", program.GitVersion, "serving", versions, "actAs", o.actAs, "memoryLimit", memoryLimit())
	server, err := o.server(cluster, versions)
	if err != nil {
		return err
	}
	if err := server.AddPostStartHook("claimbridge", func(hook genericapiserver.PostStartHookContext) error {
		go giveBack(hook)
		if o.guardInterval > 0 {
			go aside.watch(hook, o.guardInterval)
		}
		return nil
	}); err != nil {
		return err
	}
	return server.PrepareRun().RunWithContext(ctx)
}

// cluster is where the store is.
func (o *options) cluster() (*rest.Config, error) {
	config, err := rest.InClusterConfig()
	if o.kubeconfig != "" {
		config, err = clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	}
	if err != nil {
		return nil, fmt.Errorf("the cluster whose resource.k8s.io/v1 is the store: %w; outside of a cluster give --kubeconfig", err)
	}
	config.Dial = atMost(mostSilent, toCluster)
	return config, nil
}

// server is a generic API server whose requests for objects of the versions go to the store.
func (o *options) server(cluster *rest.Config, versions []string) (*genericapiserver.GenericAPIServer, error) {
	scheme := served.NewScheme()
	codecs := serializer.NewCodecFactory(scheme)
	config := genericapiserver.NewConfig(codecs)
	config.FeatureGate = utilfeature.DefaultMutableFeatureGate
	config.EffectiveVersion = basecompatibility.NewEffectiveVersionFromString(baseversion.DefaultKubeBinaryVersion, "", "")
	config.EnableProfiling = false
	openapi.Configure(config, scheme)
	if err := o.apply(config, cluster, versions); err != nil {
		return nil, err
	}
	config.ExternalAddress = config.SecureServing.Listener.Addr().String()
	client, err := store.New(cluster, caller.Mode(o.actAs), "claimbridge-apiserver/"+build.Version().GitVersion)
	if err != nil {
		return nil, err
	}
	limit := memoryLimit() // before a part of it is left to others
	room := newRoom(limit)
	leaveRoom()
	strangers := newStrangers()
	fromStrangers, fromAPIServers := connectionsFor(limit)
	config.SecureServing.Listener = newBounded(config.SecureServing.Listener, fromStrangers, fromAPIServers)
	config.BuildHandlerChainFunc = func(next http.Handler, c *genericapiserver.Config) http.Handler {
		o := transcode.Options{Versions: versions, Observe: observe}
		if room != nil {
			o.Memory = room
		}
		objects := transcode.New(client, validation.Judge, next, o)
		return draining(halfway(c.ShutdownInitiatedNotify(), c.ShutdownDelayDuration), strangers.outside(genericapiserver.DefaultBuildHandlerChain(strangers.inside(room.inside(objects, codecs)), c)))
	}
	server, err := config.Complete(nil).New("claimbridge-apiserver", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	if err := server.InstallAPIGroup(group(versions, scheme, codecs)); err != nil {
		return nil, err
	}
	return server, nil
}
