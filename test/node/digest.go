package node

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// byDigest are the other names of the images in an OCI archive: whoever pulls an image has it by its digest too, by which manifests of releases ask for it.
// The archive may be gzipped. What is no archive that is known here has no names, and containerd says what is wrong with it, if anything.
func byDigest(archive io.Reader) (names map[string]string, err error) {
	plain := bufio.NewReader(archive)
	archive = plain
	if magic, _ := plain.Peek(2); string(magic) == "\x1f\x8b" {
		if archive, err = gzip.NewReader(plain); err != nil {
			return nil, nil //nolint:nilerr // containerd says it
		}
	}
	for r := tar.NewReader(archive); ; {
		header, err := r.Next()
		if err != nil {
			return nil, nil //nolint:nilerr // containerd says it
		}
		if header.Name != "index.json" {
			continue
		}
		var index struct {
			Manifests []struct {
				Digest      string
				Annotations map[string]string
			}
		}
		if err := json.NewDecoder(r).Decode(&index); err != nil {
			return nil, fmt.Errorf("index.json: %w", err)
		}
		names = map[string]string{}
		for _, m := range index.Manifests {
			name := m.Annotations["io.containerd.image.name"]
			if tag := strings.LastIndexByte(name, ':'); tag > strings.LastIndexByte(name, '/') {
				names[name] = name[:tag] + "@" + m.Digest
			}
		}
		return names, nil
	}
}
