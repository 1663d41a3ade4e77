package bridge

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/bridge/internal/kinds"
	"github.com/claimbridge/claimbridge/bridge/internal/transcode"
)

// served is what a cluster said that it serves of the group.
type served struct {
	versions []string
	at       time.Time // zero: it was not asked
}

// newest version of the cluster that says all that others do; "" for none.
func (s served) newest() string {
	for _, version := range kinds.Whole {
		if slices.Contains(s.versions, version) {
			return version
		}
	}
	return ""
}

// absent tells whether the cluster has none of the kinds. v1alpha3 may be there for others.
func (s served) absent() bool {
	return s.newest() == ""
}

// maxDocument bounds documents of discovery; that of a cluster with a thousand kinds has half a MiB.
const maxDocument = 16 << 20

// absentRefresh is how soon a cluster is asked again that does not have the group.
const absentRefresh = time.Minute

// versions returns the versions that the cluster serves. It reads them again after [Options.Refresh]. Concurrent calls
// may each read them.
func (t *transport) versions(r *http.Request, anew bool) (served, error) {
	known := *t.known.Load()
	fresh := t.Refresh
	if known.absent() {
		fresh = min(fresh, absentRefresh)
	}
	if !anew && !known.at.IsZero() && time.Since(known.at) < fresh {
		return known, nil
	}
	asked, err := t.ask(r)
	if err != nil {
		if known.at.IsZero() {
			return known, err
		}
		return known, nil // it is away for the moment, or this caller may not know
	}
	t.known.Store(&asked)
	return asked, nil
}

func (t *transport) ask(r *http.Request) (s served, err error) {
	now := time.Now()
	resp, err := t.next.RoundTrip(at(r, prefixOf(r), groupPath))
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument))
	if err != nil {
		return s, err
	}
	switch resp.StatusCode {
	case http.StatusNotFound:
		return served{at: now}, nil
	case http.StatusOK:
	default:
		return s, errNotAsked
	}
	var group metav1.APIGroup
	if err := json.Unmarshal(body, &group); err != nil || group.Kind != "APIGroup" {
		return s, errNotAsked
	}
	s.at = now
	for _, v := range group.Versions {
		s.versions = append(s.versions, v.Version)
	}
	return s, nil
}

func (t *transport) forget() {
	known := *t.known.Load()
	known.at = time.Time{}
	t.known.Store(&known)
}

// release of the cluster, such as 1.32.
func (t *transport) release(r *http.Request) string {
	var info version.Info
	if resp, err := t.next.RoundTrip(at(r, prefixOf(r), "/version")); err == nil {
		defer resp.Body.Close()
		_ = json.NewDecoder(io.LimitReader(resp.Body, maxDocument)).Decode(&info)
	}
	if info.Major == "" {
		return "of an older release"
	}
	return info.Major + "." + strings.TrimSuffix(info.Minor, "+")
}

const groupPath = "/apis/" + api.Group

// prefixOf the paths of a cluster: what stands before /apis.
func prefixOf(r *http.Request) string {
	prefix, _, _ := transcode.Split(r.URL)
	prefix, _ = url.PathUnescape(prefix)
	return prefix
}
