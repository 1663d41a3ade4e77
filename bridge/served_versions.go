package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
	"github.com/claimbridge/claimbridge/bridge/jsonconvert"
)

// servedVersions are the versions of the group that a cluster serves.
type servedVersions struct {
	hasGroup bool
	names    []string  // only those that the bridge translates
	readAt   time.Time // zero before the first read
	// isStale is true after a response that shows that the cluster may serve other versions by now.
	isStale bool
	// failedAt is the time of the last later read that failed or was ignored.
	failedAt time.Time
}

// newest returns the newest version that the bridge can translate to, or "".
func (s servedVersions) newest() string {
	for _, version := range jsonconvert.Versions() {
		if slices.Contains(s.names, version) {
			return version
		}
	}
	return ""
}

// isFresh reports whether the versions can be used without reading them again.
func (s servedVersions) isFresh() bool {
	age := time.Since(s.readAt)
	switch {
	case time.Since(s.failedAt) < staleRefreshInterval:
		return true
	case s.isStale:
		return age < staleRefreshInterval
	case s.newest() == "":
		return age < absentRefreshInterval
	}
	return age < refreshInterval
}

const (
	// refreshInterval is the time after which the served versions are read again. An upgrade of a cluster takes
	// longer.
	refreshInterval = 5 * time.Minute
	// absentRefreshInterval is the interval for a cluster that serves no version of the group.
	absentRefreshInterval = time.Minute
	// staleRefreshInterval is the interval while responses show that the versions may have changed, and after a read
	// that failed. A wrong path gets the same 404 as a removed version, so a client with a wrong path makes the others
	// wait at most once per second.
	staleRefreshInterval = time.Second

	// maxGroupBytes is the limit for the APIGroup document, which has some 500 bytes.
	maxGroupBytes = 256 << 10
	// maxDiscoveryBytes is the limit for other discovery documents, which have half a MiB in a cluster with a thousand
	// kinds.
	maxDiscoveryBytes = 8 << 20
)

var errDiscovery = errors.New("cannot discover the versions that the cluster serves")

// versions returns the versions that the cluster serves, from the cache if they are fresh. Concurrent calls may
// each read them.
func (t *transport) versions(r *http.Request) (servedVersions, error) {
	if served := *t.cachedVersions.Load(); served.isFresh() {
		return served, nil
	}
	return t.refreshVersions(r)
}

// refreshVersions reads the versions that the cluster serves. It returns the cached versions if the cluster is
// unavailable, or if the client has no permission. It also does so if a cluster that served a version seems to serve
// none: a gateway may respond with 404 for a moment, and with [AbsentEmpty], informers would get empty lists and delete
// all their objects. If the cluster permanently stops serving the group, the cached versions are used until the process
// restarts, so requests for resources get the cluster's 404.
func (t *transport) refreshVersions(r *http.Request) (servedVersions, error) {
	cached := t.cachedVersions.Load()
	versions, err := t.fetchVersions(r)
	switch {
	case err == nil && (versions.newest() != "" || cached.newest() == ""):
		t.cachedVersions.Store(&versions)
		return versions, nil
	case cached.readAt.IsZero():
		return *cached, err
	case !cached.isFresh(): // a read before the versions are due must not delay the next one
		failed := *cached
		failed.failedAt = time.Now()
		t.cachedVersions.CompareAndSwap(cached, &failed)
	}
	return *cached, nil
}

// fetchVersions reads the APIGroup document of the cluster.
func (t *transport) fetchVersions(r *http.Request) (servedVersions, error) {
	now := time.Now()
	var group metav1.APIGroup
	code, err := t.fetchDocument(r, transcode.GroupPath, maxGroupBytes, &group)
	switch {
	case err != nil:
		return servedVersions{}, err
	case code == http.StatusNotFound:
		return servedVersions{readAt: now}, t.checkGroupIsAbsent(r)
	case code != http.StatusOK || group.Kind != "APIGroup":
		return servedVersions{}, errDiscovery
	}
	served := servedVersions{hasGroup: true, readAt: now}
	for _, version := range jsonconvert.Versions() {
		isServed := slices.ContainsFunc(group.Versions, func(v metav1.GroupVersionForDiscovery) bool {
			return v.Version == version
		})
		if isServed {
			served.names = append(served.names, version)
		}
	}
	return served, nil
}

// checkGroupIsAbsent returns an error unless the cluster's list of all groups does not have the group. The 404 for the
// group alone may be from a gateway.
func (t *transport) checkGroupIsAbsent(r *http.Request) error {
	var list metav1.APIGroupList
	code, err := t.fetchDocument(r, "/apis", maxDiscoveryBytes, &list)
	if err != nil {
		return err
	}
	hasGroup := slices.ContainsFunc(list.Groups, func(g metav1.APIGroup) bool { return g.Name == jsonconvert.Group })
	if code != http.StatusOK || list.Kind != "APIGroupList" || hasGroup {
		return errDiscovery
	}
	return nil
}

// fetchDocument reads a discovery document of at most limit bytes, and returns the code of the response. It decodes the
// document if the code is 200.
func (t *transport) fetchDocument(r *http.Request, path string, limit int, document any) (code int, err error) {
	resp, err := t.next.RoundTrip(discoveryRequest(r, pathPrefix(r)+path))
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	body, err := readDocument(resp.Body, limit)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode == http.StatusOK && json.Unmarshal(body, document) != nil {
		return 0, errDiscovery
	}
	return resp.StatusCode, nil
}

// readDocument reads a discovery document of at most limit bytes.
func readDocument(body io.Reader, limit int) ([]byte, error) {
	document, err := io.ReadAll(io.LimitReader(body, int64(limit)+1))
	if err == nil && len(document) > limit {
		err = fmt.Errorf("a discovery document of the cluster exceeds the limit of %d bytes", limit)
	}
	return document, err
}

// markStale makes later requests read the versions again, because a response showed that they may have changed. It has
// no effect if another request stored newer ones meanwhile.
func (t *transport) markStale() {
	served := t.cachedVersions.Load()
	marked := *served
	marked.isStale = true
	t.cachedVersions.CompareAndSwap(served, &marked)
}
