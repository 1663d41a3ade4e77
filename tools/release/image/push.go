package main

import (
	"context"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// push to the registry of the name. What the registry has already is not sent again.
func push(ctx context.Context, m made, to name.Tag) error {
	options := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
	if index, ok := m.(v1.ImageIndex); ok {
		return remote.WriteIndex(to, index, options...)
	}
	return remote.Write(to, m.(v1.Image), options...)
}
