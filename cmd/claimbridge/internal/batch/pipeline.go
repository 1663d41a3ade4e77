package batch

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

const (
	// partSize in bytes is how much input is worked on in one go: thirty claims of 2 KiB, several hundred microseconds,
	// beside which handing them over does not count.
	partSize = 64 << 10
	// partsPerCore are in flight at most: one that is worked on, and others that wait for the ones
	// before them, or for the disk.
	partsPerCore = 8
)

// pipeline does work on all cores, and delivers what comes of it in the order in which it was handed over.
//
// What is in flight, from being handed over until it is delivered, is bounded by its input: 512 KiB
// a core and no more than one document may have. Whatever is bigger, as a file that is edited may
// be, goes alone, so that the YAML parser, which may need a hundred times as much memory, needs no
// more than for the biggest document.
//
// When its context ends it is closed at once: work that goes on, be it on a document of 16 MiB, is
// not waited for, and not delivered.
type pipeline struct {
	ctx        context.Context
	cancel     context.CancelCauseFunc
	room       int64
	free       *semaphore.Weighted
	last       chan struct{} // closed when all that was handed over is delivered
	delivering sync.Mutex
}

func newPipeline(ctx context.Context) *pipeline {
	room := min(int64(runtime.GOMAXPROCS(0))*partsPerCore*partSize, yamldoc.MaxDocument)
	p := &pipeline{room: room, free: semaphore.NewWeighted(room), last: make(chan struct{})}
	close(p.last)
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	return p
}

// do starts work on so many bytes of input. What it returns is called when everything before it is delivered; its error
// ends the pipeline, and is returned here from then on.
func (p *pipeline) do(size int, start func() (deliver func() error)) error {
	weight := min(max(int64(size), partSize), p.room)
	if p.free.Acquire(p.ctx, weight) != nil || p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	before, done := p.last, make(chan struct{})
	p.last = done
	go func() {
		defer close(done)
		defer p.free.Release(weight)
		deliver := start()
		<-before
		p.delivering.Lock()
		defer p.delivering.Unlock()
		if p.ctx.Err() != nil {
			return
		}
		if err := deliver(); err != nil {
			p.cancel(err)
		}
	}()
	return nil
}

// close waits until everything is delivered, or the context ends and nothing more is.
func (p *pipeline) close() error {
	select {
	case <-p.last:
	case <-p.ctx.Done():
	}
	p.delivering.Lock()
	defer p.delivering.Unlock()
	defer p.cancel(nil)
	return context.Cause(p.ctx)
}
