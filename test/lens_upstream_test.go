package test

import (
	"bytes"
	"slices"
	"testing"

	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/conversion/lens"
	"github.com/claimbridge/claimbridge/internal/kjson"
	"github.com/claimbridge/claimbridge/test/objects"
)

// TestALensShowsWhatUpstreamShows holds lenses of later versions against each release that serves these versions beside v1: what an
// API server stores as v1 both show in the same bytes, and what a client creates both store as the same.
func TestALensShowsWhatUpstreamShows(t *testing.T) {
	seed := objects.Seed(t)
	for _, j := range chosen {
		if !slices.Contains(j.versions, "v1") {
			continue
		}
		t.Run(j.name, func(t *testing.T) {
			u := j.start(t)
			source := objects.New(seed).Of(j.name)
			for i := range max(10, comparisons(t)/20) {
				for _, version := range []string{"v1beta1", "v1beta2"} {
					kinds := lens.Kinds(version)
					kind := kinds[i%len(kinds)]
					l, err := lens.New(version, kind)
					if err != nil {
						t.Fatal(err)
					}
					stored := u.stores(t, inTree(source, kind))
					theirs := u.shows(t, stored, version)
					ours, err := l.Down(nil, stored)
					if err != nil || !bytes.Equal(ours, theirs) {
						t.Fatalf("%s is shown otherwise: %v\n got %s\nwant %s", version, err, clip(ours), clip(theirs))
					}
					up, err := l.Up(nil, theirs)
					if err != nil {
						t.Fatal(err)
					}
					if got := u.stores(t, up); !bytes.Equal(got, stored) {
						t.Fatalf("%s comes up as another object:\n got %s\nwant %s", version, clip(got), clip(stored))
					}
				}
			}
		})
	}
}

// inTree is a random object of v1 without the fields of claimbridge.
func inTree(s objects.Source, kind string) []byte {
	switch kind {
	case "DeviceClass":
		return kjson.Marshal(s.Class())
	case "ResourceSlice":
		return kjson.Marshal(s.Slice())
	}
	object := s.Object("v1", kind)
	if claim, ok := object.(*v1.ResourceClaim); ok {
		claim.Status.ClaimbridgeDeallocationRequested = false
	}
	return kjson.Marshal(object)
}

// stores an object of v1, with defaults, and without what the release does not know.
func (u *upstream) stores(t *testing.T, object []byte) []byte {
	t.Helper()
	return bytes.TrimSpace(u.converted(t, object, "v1"))
}

// shows a stored object, as an API server decodes what it has stored.
func (u *upstream) shows(t *testing.T, stored []byte, version string) []byte {
	t.Helper()
	return bytes.TrimSpace(u.converted(t, stored, version))
}
