package bridge

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/unstructured"
)

// servedVersions are the versions of the group that a cluster serves.
type servedVersions struct {
	names  []string
	readAt time.Time // zero if they must be read
}

// newest returns the newest version that the bridge can translate to, or "".
func (s servedVersions) newest() string {
	for _, version := range unstructured.Versions() {
		if slices.Contains(s.names, version) {
			return version
		}
	}
	return ""
}

const (
	// maxDocument in bytes is the limit for discovery documents. A cluster with a thousand kinds has half a MiB.
	maxDocument = 16 << 20
	// absentRefresh is the interval after which the versions of a cluster that does not serve the group are read again.
	absentRefresh = time.Minute
)

var errDiscovery = errors.New("cannot discover the versions that the cluster serves")

// servedVersions returns the versions that the cluster serves. It reads them again after [Options.Refresh]. Concurrent
// calls may each read them.
func (t *transport) servedVersions(r *http.Request) (servedVersions, error) {
	served := *t.served.Load()
	refresh := t.Refresh
	if served.newest() == "" {
		refresh = min(refresh, absentRefresh)
	}
	if !served.readAt.IsZero() && time.Since(served.readAt) < refresh {
		return served, nil
	}
	return t.readVersions(r)
}

// readVersions reads the versions that the cluster serves. If the cluster is unavailable, or the client has no
// permission, it returns those that were read before.
func (t *transport) readVersions(r *http.Request) (servedVersions, error) {
	known := *t.served.Load()
	read, err := t.requestVersions(r)
	switch {
	case err == nil:
		t.served.Store(&read)
		return read, nil
	case known.readAt.IsZero():
		return known, err
	}
	return known, nil
}

func (t *transport) requestVersions(r *http.Request) (served servedVersions, err error) {
	now := time.Now()
	resp, err := t.next.RoundTrip(getRequest(r, pathPrefix(r)+transcode.GroupPath))
	if err != nil {
		return served, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument))
	if err != nil {
		return served, err
	}
	if resp.StatusCode == http.StatusNotFound {
		return servedVersions{readAt: now}, nil
	}
	var group metav1.APIGroup
	if resp.StatusCode != http.StatusOK || json.Unmarshal(body, &group) != nil || group.Kind != "APIGroup" {
		return served, errDiscovery
	}
	served.readAt = now
	for _, v := range group.Versions {
		served.names = append(served.names, v.Version)
	}
	return served, nil
}

func (t *transport) forgetVersions() {
	served := *t.served.Load()
	served.readAt = time.Time{}
	t.served.Store(&served)
}
