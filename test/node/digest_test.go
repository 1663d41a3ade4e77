//go:build node

package node

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"strings"
	"testing"
)

func TestWhatIsNoArchiveIsForContainerdToJudge(t *testing.T) {
	for _, text := range []string{"", "\x1f", "\x1f\x8b", "\x28\xb5\x2f\xfd zstd", strings.Repeat("x", 1024)} {
		if got, err := byDigest(strings.NewReader(text)); got != nil || err != nil {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
}

func TestImagesHaveTheirDigestsForNames(t *testing.T) {
	for is, test := range map[string]struct {
		file, text string
		want       map[string]string
	}{
		"an image in a registry with a port": {
			"index.json", `{"manifests":[{"digest":"sha256:0a","annotations":{"io.containerd.image.name":"localhost:5000/a/b:v1"}}]}`,
			map[string]string{"localhost:5000/a/b:v1": "localhost:5000/a/b@sha256:0a"},
		},
		"one without a tag":    {"index.json", `{"manifests":[{"digest":"sha256:0a","annotations":{"io.containerd.image.name":"localhost:5000/a"}}]}`, nil},
		"one without a name":   {"index.json", `{"manifests":[{"digest":"sha256:0a"}]}`, nil},
		"an archive of docker": {"manifest.json", `[]`, nil},
	} {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		if err := w.WriteHeader(&tar.Header{Name: test.file, Size: int64(len(test.text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(test.text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		if _, err := z.Write(archive.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		for form, archive := range map[string]io.Reader{"plain": &archive, "gzipped": &zipped} {
			if got, err := byDigest(archive); err != nil || !maps.Equal(got, test.want) {
				t.Errorf("%s, %s: got %q, %v, want %q", is, form, got, err, test.want)
			}
		}
	}
}
