package main

import (
	"context"

	"github.com/claimbridge/claimbridge/test/node/drivers"
	"github.com/claimbridge/claimbridge/test/node/image"
)

// images that the node has, each made of this checkout when it is asked for. This is the place to add one.
var images = []func(ctx context.Context, folder string) (archive, name string, err error){
	image.Claimbridge,
	drivers.Driver(drivers.Older),
	drivers.Devices,
}
