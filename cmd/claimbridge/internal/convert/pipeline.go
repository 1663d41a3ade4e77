package convert

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
)

const (
	// partSize in bytes is how much input is worked on in one go: thirty claims of 2 KiB, several hundred microseconds,
	// beside which handing them over does not count.
	partSize = 64 << 10
	// partsPerCore are in flight at most: one that is worked on, and others that wait for the ones before them, or for the disk.
	partsPerCore = 8
)

// pipeline does work on all cores, and delivers what comes of it in the order in which it was handed over.
//
// What is in flight, from being handed over until it is delivered, is bounded by its input: 512 KiB a core and no more
// than one document may have. Whatever is bigger, as a file that is edited may be, goes alone, so that the YAML parser, which may need a hundred times as
// much memory, needs no more than for the biggest document.
//
// When its context ends it is closed at once: work that goes on, be it on a document of 16 MiB, is not waited for, and not delivered.
type pipeline struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	room   int64
	free   *semaphore.Weighted
	queue  chan *work    // in the order in which it was handed over
	ended  chan struct{} // closed when nothing more is delivered
}

// work in flight, of a weight. It is done when it can be delivered.
type work struct {
	weight int64
	done   chan (func() error)
}

func newPipeline(ctx context.Context) *pipeline {
	room := min(int64(runtime.GOMAXPROCS(0))*partsPerCore*partSize, manifest.MaxDocument)
	p := &pipeline{room: room, free: semaphore.NewWeighted(room), queue: make(chan *work, room/partSize), ended: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	go p.deliver()
	return p
}

// do starts work on so many bytes of input. What it returns is called when everything before it is delivered; its error
// ends the pipeline, and is returned here from then on.
func (p *pipeline) do(size int, start func() (deliver func() error)) error {
	w := &work{min(max(int64(size), partSize), p.room), make(chan func() error, 1)}
	if p.free.Acquire(p.ctx, w.weight) != nil || p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	p.queue <- w // which has room for all that are in flight
	go func() { w.done <- start() }()
	return nil
}

func (p *pipeline) deliver() {
	defer close(p.ended)
	for w := range p.queue {
		select {
		case deliver := <-w.done:
			if p.ctx.Err() != nil {
				return
			}
			if err := deliver(); err != nil {
				p.cancel(err)
			}
			p.free.Release(w.weight)
		case <-p.ctx.Done():
			return
		}
	}
}

// close waits until everything is delivered, or the context ends and nothing more is.
func (p *pipeline) close() error {
	close(p.queue)
	<-p.ended
	defer p.cancel(nil)
	return context.Cause(p.ctx)
}
