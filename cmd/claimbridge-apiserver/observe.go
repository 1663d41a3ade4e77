package main

import (
	"context"
	"time"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/metrics"
	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/transcode"
)

// observe counts requests for objects and how long they take.
func observe(ctx context.Context, asked transcode.Asked) (context.Context, func(transcode.Outcome)) {
	resource := asked.Resource
	if asked.Subresource != "" {
		resource += "/" + asked.Subresource
	}
	if asked.Verb == "watch" {
		ended := metrics.Watching(asked.Version)
		return ctx, func(o transcode.Outcome) {
			ended()
			metrics.Answered(asked.Version, resource, asked.Verb, o.Code)
		}
	}
	ctx, timer := metrics.WithTimer(ctx)
	begun := time.Now()
	return ctx, func(o transcode.Outcome) {
		metrics.Answered(asked.Version, resource, asked.Verb, o.Code)
		metrics.Took(asked.Version, asked.Verb, time.Since(begun), timer.Waited())
		if o.Tries > 1 {
			metrics.TriedAgain(asked.Version, o.Tries-1)
		}
	}
}
