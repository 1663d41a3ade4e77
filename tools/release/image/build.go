package main

import (
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// imageOrIndex is an index of images by platform, or an image if there is only one platform.
type imageOrIndex interface {
	partial.WithRawManifest
	partial.Describable
}

// buildImage builds the image for all platforms.
func buildImage(o *options) (imageOrIndex, error) {
	var images []mutate.IndexAddendum
	for _, p := range o.programs {
		image, err := p.buildImage(o)
		if err != nil {
			return nil, err
		}
		if len(o.programs) == 1 {
			return image, nil
		}
		images = append(images, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}},
		})
	}
	index := mutate.IndexMediaType(mutate.AppendManifests(empty.Index, images...), types.OCIImageIndex)
	return mutate.Annotations(index, o.labels).(v1.ImageIndex), nil
}

// buildImage builds the image for the platform of the program.
func (p program) buildImage(o *options) (v1.Image, error) {
	programs, err := p.readFiles()
	if err != nil {
		return nil, err
	}
	layer, err := buildLayer(programs, o.entrypoint, o.created)
	if err != nil {
		return nil, err
	}
	created := v1.Time{Time: o.created}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.ConfigFile(image, &v1.ConfigFile{
		OS: p.os, Architecture: p.arch, Created: created,
		Config: v1.Config{User: o.user, Entrypoint: []string{o.entrypoint}, Cmd: o.cmd, Labels: o.labels},
		RootFS: v1.RootFS{Type: "layers"},
	})
	if err != nil {
		return nil, err
	}
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{
		Created:   created,
		CreatedBy: strings.Join(append([]string{o.entrypoint}, o.cmd...), " "),
		Comment:   "static programs and /tmp",
	}})
	if err != nil {
		return nil, err
	}
	return mutate.Annotations(image, o.labels).(v1.Image), nil
}
