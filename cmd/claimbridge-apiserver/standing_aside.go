package main

import (
	"context"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/guard"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
)

// aside tells which versions this server must not serve, or should not.
type aside struct {
	guard    *guard.Guard
	versions []string
	told     map[string]string // findings by version, as they stand in the log
	events   kubernetes.Interface
}

func newAside(cluster *rest.Config, versions []string) (*aside, error) {
	config := rest.CopyConfig(cluster)
	config.Timeout = 10 * time.Second // an answer of the kind takes milliseconds
	g, err := guard.New(config, versions)
	if err != nil {
		return nil, err
	}
	events, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &aside{guard: g, versions: versions, told: map[string]string{}, events: events}, nil
}

// start gives the versions to serve: those that the cluster does not serve itself. None of them, or a cluster without the v1 from which they
// are made, is an error. A version that hides one of the cluster is served, and told later: to give it up would take it from its clients, and
// keep API servers from starting.
func (a *aside) start(ctx context.Context) ([]string, error) {
	if err := a.guard.Store(ctx); err != nil {
		return nil, err
	}
	found, err := a.guard.Served(ctx)
	if err != nil {
		return nil, err
	}
	serve := slices.Clone(a.versions)
	var reasons []error
	for _, f := range found {
		serve = slices.DeleteFunc(serve, func(version string) bool { return version == f.Version })
		reasons = append(reasons, errors.New(f.Text))
	}
	if len(serve) == 0 {
		return nil, errors.Join(reasons...)
	}
	a.tell(ctx, found)
	return serve, nil
}

// watch until ctx is done.
func (a *aside) watch(ctx context.Context, interval time.Duration) {
	a.guard.Watch(ctx, interval, func(found []guard.Finding, err error) {
		if err != nil {
			klog.ErrorS(err, "Could not look whether the cluster serves a version itself")
			return
		}
		a.tell(ctx, found)
	})
}

// tell by metric, and what is new by a line of the log and an event of the APIService.
func (a *aside) tell(ctx context.Context, found []guard.Finding) {
	now := map[string]string{}
	for _, f := range found {
		now[f.Version] = f.Text
	}
	for _, version := range a.versions {
		text, is := now[version]
		metrics.Conflict(version, is)
		switch {
		case is && a.told[version] != text:
			klog.ErrorS(errors.New(text), "A version of the cluster's own", "version", version)
			a.event(ctx, version, text)
		case !is && a.told[version] != "":
			klog.InfoS("No version of the cluster's own any more", "version", version)
		}
	}
	a.told = now
}

func (a *aside) event(ctx context.Context, version, text string) {
	now := metav1.Now()
	_, err := a.events.CoreV1().Events(metav1.NamespaceDefault).Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: version + "." + api.Group + ".", Namespace: metav1.NamespaceDefault},
		InvolvedObject: corev1.ObjectReference{APIVersion: "apiregistration.k8s.io/v1", Kind: "APIService", Name: version + "." + api.Group},
		Type:           corev1.EventTypeWarning, Reason: "ServedByCluster", Message: text,
		Source: corev1.EventSource{Component: "claimbridge-apiserver"}, ReportingController: "claimbridge.dev/apiserver",
		FirstTimestamp: now, LastTimestamp: now, Count: 1,
	}, metav1.CreateOptions{})
	if err != nil {
		klog.ErrorS(err, "Could not write an event", "version", version)
	}
}
