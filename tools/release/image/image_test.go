package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// buildHello builds testdata/hello for an architecture, in a build mode of Go, and returns its path.
func buildHello(t *testing.T, arch, mode string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hello-"+arch)
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false", "-buildmode="+mode, "-o",
		file, "./testdata/hello")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build for %s: %v\n%s", arch, err, out)
	}
	return file
}

// runTwice runs the command twice, and checks that the results are equal. It returns the standard output, which is the
// name of the image, and the archive.
func runTwice(t *testing.T, args ...string) (imageName string, archive []byte) {
	t.Helper()
	imageName, archive = runWithOutput(t, args...)
	secondName, secondArchive := runWithOutput(t, args...)
	if secondName != imageName {
		t.Errorf("the second run prints %s, want %s as the first", secondName, imageName)
	}
	if !bytes.Equal(secondArchive, archive) {
		t.Errorf("the archives of two runs differ: they have %d and %d bytes", len(archive), len(secondArchive))
	}
	return imageName, archive
}

// runWithOutput runs the command with the flag --output. It returns the standard output and the archive.
func runWithOutput(t *testing.T, args ...string) (imageName string, archive []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "image.tar")
	var stdout bytes.Buffer
	if err := run(t.Context(), append(args, "--output="+file), &stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(stdout.String()), must(os.ReadFile(file))(t)
}

// unpack returns the OCI layout in an archive.
func unpack(t *testing.T, archive []byte) layout.Path {
	t.Helper()
	folder := t.TempDir()
	tar := exec.CommandContext(t.Context(), "tar", "-x", "-C", folder)
	tar.Stdin = bytes.NewReader(archive)
	if out, err := tar.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return layout.Path(folder)
}

// must returns a value, or fails the test if there is an error.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// helloFlags returns flags for an image that checkImage accepts.
func helloFlags(imageName string, flags ...string) []string {
	return append([]string{
		"--name=" + imageName, "--entrypoint=/hello", "--cmd=serve", "--cmd=-v=2",
		"--label=org.opencontainers.image.title=hello", "--label=org.opencontainers.image.version=v1.2.3",
	}, flags...)
}

var labels = map[string]string{"org.opencontainers.image.title": "hello", "org.opencontainers.image.version": "v1.2.3"}

// checkImage checks the configuration, the manifest and the files of an image.
func checkImage(t *testing.T, image v1.Image, arch, program string) {
	t.Helper()
	if err := validate.Image(image); err != nil {
		t.Error(err)
	}
	config := must(image.ConfigFile())(t)
	if config.OS != "linux" || config.Architecture != arch || config.Config.User != "65532:65532" ||
		!slices.Equal(config.Config.Entrypoint, []string{"/hello"}) ||
		!slices.Equal(config.Config.Cmd, []string{"serve", "-v=2"}) ||
		!maps.Equal(config.Config.Labels, labels) {
		t.Errorf("unexpected configuration of the image for %s: %+v", arch, config)
	}
	manifest := must(image.Manifest())(t)
	if manifest.MediaType != types.OCIManifestSchema1 || manifest.Config.MediaType != types.OCIConfigJSON ||
		!maps.Equal(manifest.Annotations, labels) ||
		len(manifest.Layers) != 1 || manifest.Layers[0].MediaType != types.OCILayer {
		t.Errorf("unexpected manifest of the image for %s: %+v", arch, manifest)
	}
	files := must(must(image.Layers())(t)[0].Uncompressed())(t)
	var got []string
	for r := tar.NewReader(files); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, header.Name+" "+fs.FileMode(header.Mode).String())
		if header.Uid != 0 || header.Gid != 0 || header.ModTime.Unix() != 0 {
			t.Errorf("%s: got owner %d:%d and time %s, want 0:0 and 1970", header.Name, header.Uid, header.Gid,
				header.ModTime)
		}
		if header.Typeflag == tar.TypeReg && !bytes.Equal(must(io.ReadAll(r))(t), must(os.ReadFile(program))(t)) {
			t.Errorf("the content of %s differs from the program", header.Name)
		}
	}
	want := []string{"hello -r-xr-xr-x", filepath.Base(program) + " -r-xr-xr-x", "tmp/ " + fs.FileMode(0o1777).String()}
	if !slices.Equal(got, want) {
		t.Errorf("files of the image: got %q, want %q", got, want)
	}
}

func TestImageArchive(t *testing.T) {
	amd64 := buildHello(t, "amd64", "exe")
	arm64 := buildHello(t, "arm64", "exe")
	args := helloFlags("kit.local/hello:v1.2.3", "--platform=linux/amd64="+amd64+","+amd64)
	t.Run("one platform", func(t *testing.T) {
		imageName, archive := runTwice(t, args...)
		ociLayout := unpack(t, archive)
		index := must(must(ociLayout.ImageIndex())(t).IndexManifest())(t)
		if len(index.Manifests) != 1 ||
			index.Manifests[0].Annotations["io.containerd.image.name"] != "kit.local/hello:v1.2.3" ||
			index.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "v1.2.3" {
			t.Fatalf("unexpected index of the archive: %+v", index)
		}
		if want := "kit.local/hello:v1.2.3@" + index.Manifests[0].Digest.String(); imageName != want {
			t.Errorf("name of the image: got %s, want %s as in the archive", imageName, want)
		}
		checkImage(t, must(ociLayout.Image(index.Manifests[0].Digest))(t), "amd64", amd64)
		tag := must(name.NewTag("kit.local/hello:v1.2.3"))(t)
		open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive)), nil }
		dockerImage := must(tarball.Image(open, &tag))(t) // docker load without the containerd image store
		if err := validate.Image(dockerImage); err != nil {
			t.Error(err)
		}
		got := must(dockerImage.ConfigName())(t)
		want := must(must(ociLayout.Image(index.Manifests[0].Digest))(t).ConfigName())(t)
		if got != want {
			t.Errorf("image in manifest.json: got %s, want %s as in the OCI layout", got, want)
		}
	})
	t.Run("two platforms", func(t *testing.T) {
		imageName, archive := runTwice(t, append(args, "--platform=linux/arm64="+arm64+","+arm64)...)
		ociLayout := unpack(t, archive)
		layoutIndex := must(ociLayout.ImageIndex())(t)
		imageDigest := must(layoutIndex.IndexManifest())(t).Manifests[0].Digest
		index := must(layoutIndex.ImageIndex(imageDigest))(t)
		checkIndex(t, index, amd64, arm64)
		if want := "kit.local/hello:v1.2.3@" + must(index.Digest())(t).String(); imageName != want {
			t.Errorf("name of the image: got %s, want %s as in the archive", imageName, want)
		}
	})
}

// checkIndex checks an index of images for amd64 and arm64.
func checkIndex(t *testing.T, index v1.ImageIndex, amd64, arm64 string) {
	t.Helper()
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest := must(index.IndexManifest())(t)
	if manifest.MediaType != types.OCIImageIndex || len(manifest.Manifests) != 2 ||
		!maps.Equal(manifest.Annotations, labels) {
		t.Fatalf("unexpected index: %+v", manifest)
	}
	for i, program := range []string{amd64, arm64} {
		arch := []string{"amd64", "arm64"}[i]
		if platform := manifest.Manifests[i].Platform; platform == nil || platform.String() != "linux/"+arch {
			t.Errorf("platform %d: got %v, want linux/%s", i, platform, arch)
		}
		checkImage(t, must(index.Image(manifest.Manifests[i].Digest))(t), arch, program)
	}
}

func TestImagePush(t *testing.T) {
	amd64 := buildHello(t, "amd64", "exe")
	arm64 := buildHello(t, "arm64", "exe")
	server := httptest.NewServer(registry.New())
	defer server.Close()
	tag := strings.TrimPrefix(server.URL, "http://") + "/team/hello:v1.2.3"
	var stdout bytes.Buffer
	err := run(t.Context(),
		helloFlags(tag, "--push", "--platform=linux/amd64="+amd64+","+amd64, "--platform=linux/arm64="+arm64+","+arm64),
		&stdout, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	pulled := must(remote.Index(must(name.NewDigest(strings.TrimSpace(stdout.String())))(t)))(t)
	checkIndex(t, pulled, amd64, arm64)
	got := must(remote.Head(must(name.NewTag(tag))(t)))(t).Digest
	if want := must(pulled.Digest())(t); got != want {
		t.Errorf("digest of the tag: got %s, want %s", got, want)
	}
}

func TestInvalidFlagsAndProgramsAreRejected(t *testing.T) {
	static := buildHello(t, "amd64", "exe")
	arm64 := buildHello(t, "arm64", "exe")
	dynamic := buildHello(t, "amd64", "pie")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		args            []string
		sourceDateEpoch string
		want            string
	}{
		"a dynamic program": {
			args: []string{"--platform=linux/amd64=" + dynamic},
			want: "dynamically linked, but the image has no dynamic linker and no libraries: build it with CGO_ENABLED=0",
		},
		"a program of another platform": {
			args: []string{"--platform=linux/amd64=" + static + "," + arm64},
			want: "built for another processor: got EM_AARCH64, want EM_X86_64",
		},
		"a script": {
			args: []string{"--platform=linux/amd64=" + script},
			want: "not an ELF file for Linux",
		},
		"a missing file": {
			args: []string{"--platform=linux/amd64=" + script + "-missing"},
			want: "no such file",
		},
		"a duplicate platform": {
			args: []string{"--platform=linux/amd64=" + static, "--platform=linux/amd64=" + static},
			want: "duplicate --platform linux/amd64",
		},
		"an unknown platform": {
			args: []string{"--platform=windows/amd64=" + static},
			want: "must be linux/amd64=FILE",
		},
		"no platform": {want: "--platform is required"},
		"a name without a registry": {
			args: []string{"--platform=linux/amd64=" + static, "--name=hello:v1"},
			want: "registry, repository and tag are required",
		},
		"a name without a tag": {
			args: []string{"--platform=linux/amd64=" + static, "--name=kit.local/hello"},
			want: "registry, repository and tag are required",
		},
		"a relative entrypoint": {
			args: []string{"--platform=linux/amd64=" + static, "--entrypoint=hello"},
			want: "must be a file in the root folder",
		},
		"an entrypoint in a folder": {
			args: []string{"--platform=linux/amd64=" + static, "--entrypoint=/usr/bin/hello"},
			want: "must be a file in the root folder",
		},
		"a user name": {
			args: []string{"--platform=linux/amd64=" + static, "--user=nonroot"},
			want: "must be a user ID",
		},
		"a label without a value": {
			args: []string{"--platform=linux/amd64=" + static, "--label=a"},
			want: "must be NAME=VALUE",
		},
		"an argument that is not a flag": {
			args: []string{"--platform=linux/amd64=" + static, "hello"},
			want: "only flags are accepted",
		},
		"a missing output folder": {
			args: []string{"--platform=linux/amd64=" + static, "--output=/nowhere/at/all.tar"},
			want: "/nowhere/at/all.tar: ",
		},
		"neither output nor push": {
			args: []string{"--platform=linux/amd64=" + static, "--output="},
			want: "--output or --push is required",
		},
		"an unreachable registry": {
			args: []string{"--platform=linux/amd64=" + static, "--name=127.0.0.1:1/hello:v1", "--push"},
			want: "push 127.0.0.1:1/hello:v1: ",
		},
		"an invalid build time": {
			args:            []string{"--platform=linux/amd64=" + static},
			sourceDateEpoch: "today",
			want:            "SOURCE_DATE_EPOCH=\"today\"",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SOURCE_DATE_EPOCH", test.sourceDateEpoch)
			file := filepath.Join(t.TempDir(), "image.tar")
			err := run(t.Context(), append([]string{
				"--name=kit.local/hello:v1", "--entrypoint=/hello", "--output=" + file,
			}, test.args...), io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want it to contain %q", err, test.want)
			}
			if _, statErr := os.Stat(file); err != nil && statErr == nil && !strings.HasPrefix(err.Error(), "push") {
				t.Error("an archive was written despite the error")
			}
		})
	}
}
