package main

import (
	"cmp"
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/config"
	"github.com/claimbridge/claimbridge/internal/plainlog"
	"github.com/claimbridge/claimbridge/webhook"
	"github.com/claimbridge/claimbridge/webhook/preflight"
)

// defaultPreflightInterval makes a broken cluster known before the next person complains, at some 40 small requests.
const defaultPreflightInterval = 5 * time.Minute

// notInBackground are checks that need more than a server should be allowed: to read and create claims, to read Secrets and
// what others have configured. A server that runs has a certificate, and shows which.
var notInBackground = []string{
	"claims-can-be-written", "claims-can-be-read", "certificate-secret-is-filled", "claimbridge-is-installed", "foreign-webhooks-answer",
	"foreign-policies-are-known", "admission-policy-is-whole",
}

// watcher of the cluster, if there is one to be looked at: the one that the process runs in, or that --kubeconfig names.
// The cluster that a person happens to have in KUBECONFIG is none of a server's business.
func (o *serveOptions) watcher(addr func() net.Addr) (*preflight.Watcher, error) {
	if o.preflightInterval == 0 {
		return nil, nil
	}
	cluster, err := o.watchedCluster()
	if cluster == nil || err != nil {
		return nil, err
	}
	namespace := ownNamespace()
	var options []preflight.Options
	for _, group := range o.groups {
		if group == "*" {
			continue // nobody knows which
		}
		options = append(options, preflight.Options{
			Group: group, Namespace: namespace, Skip: notInBackground,
			Served: func(ctx context.Context) ([]*x509.Certificate, error) {
				return preflight.Presented(ctx, reachable(addr()), "claimbridge."+namespace+".svc")
			},
		})
	}
	return preflight.Watch(cluster, o.preflightInterval, plainlog.New(klog.Background()), options...), nil
}

func (o *serveOptions) watchedCluster() (*rest.Config, error) {
	if o.kubeconfig == "" {
		cluster, err := rest.InClusterConfig()
		if err != nil {
			return nil, nil //nolint:nilerr // not in a cluster
		}
		return cluster, nil
	}
	cluster, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("--kubeconfig: %w", err)
	}
	return cluster, nil
}

// ownNamespace of the pod, as client-go finds it.
func ownNamespace() string {
	file, _ := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/namespace")
	return cmp.Or(os.Getenv("POD_NAMESPACE"), strings.TrimSpace(string(file)), config.DefaultNamespace)
}

// watch from when the server serves until ctx is done.
func watch(ctx context.Context, server *webhook.Server, watcher *preflight.Watcher) {
	select {
	case <-server.Started():
		watcher.Run(ctx)
	case <-ctx.Done():
	}
}

// reachable is where a listener can be called: on loopback when it listens on all addresses.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return addr.String()
	}
	if tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return tcp.String()
}
