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
	// partsPerCore are in flight at most: one that is worked on, and others that wait for the ones before them.
	partsPerCore = 4
)

// pipeline does work on all cores, and delivers what comes of it in the order in which it was handed over.
//
// What is in flight, from being handed over until it is delivered, is bounded by its input: 256 KiB a core and no more
// than one document may have. Whatever is bigger, as a file that is edited may be, goes alone, so that the YAML parser, which may need a hundred times as
// much memory, needs no more than for the biggest document.
//
// When its context ends it is closed at once: work that goes on, be it on a document of 16 MiB, is not waited for, and not delivered.
type pipeline struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	room   int64
	free   *semaphore.Weighted
	work   chan func()
	order  chan task
	done   chan struct{}
}

type task struct {
	weight int64
	result chan func() error
}

func newPipeline(ctx context.Context) *pipeline {
	room := min(int64(runtime.GOMAXPROCS(0))*partsPerCore*partSize, manifest.MaxDocument)
	p := &pipeline{room: room, free: semaphore.NewWeighted(room), order: make(chan task, room/partSize), done: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancelCause(ctx)
	p.work = make(chan func())
	for range cap(p.order) { // as many as may be in flight; their stacks have grown once
		go func() {
			for work := range p.work {
				work()
			}
		}()
	}
	go p.deliver()
	return p
}

// do starts work on so many bytes of input. What it returns is called when everything before it is delivered; its error
// ends the pipeline, and is returned here from then on.
func (p *pipeline) do(size int, work func() (deliver func() error)) error {
	t := task{weight: min(max(int64(size), partSize), p.room), result: make(chan func() error, 1)}
	if err := p.free.Acquire(p.ctx, t.weight); err != nil {
		return context.Cause(p.ctx)
	}
	p.order <- t
	select {
	case p.work <- func() { t.result <- work() }:
		return nil
	case <-p.ctx.Done(): // all may be at work that nobody waits for
		return context.Cause(p.ctx)
	}
}

// deliver runs until the pipeline is closed.
func (p *pipeline) deliver() {
	defer close(p.done)
	for t := range p.order {
		select {
		case deliver := <-t.result:
			if p.ctx.Err() != nil {
				break
			}
			if err := deliver(); err != nil {
				p.cancel(err)
			}
		case <-p.ctx.Done():
		}
		p.free.Release(t.weight)
	}
}

// close waits until everything is delivered, or the context ends.
func (p *pipeline) close() error {
	close(p.work)
	close(p.order)
	<-p.done
	defer p.cancel(nil)
	return context.Cause(p.ctx)
}
