package batch

import (
	"cmp"
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/claimbridge/claimbridge/internal/yamldoc"
)

const (
	// defaultPartSize in bytes is how much input is converted at once: thirty claims of 2 KiB, which take several
	// hundred microseconds. The cost of a goroutine is small beside that.
	defaultPartSize = 64 << 10
	// partsPerCore limits the parts in flight: one that is being converted, and others that wait for earlier parts, or
	// for the disk.
	partsPerCore = 8
)

// pipeline does work on all cores, and delivers the results one by one, in the order in which the work was added.
//
// The total size of the parts in flight is limited to 512 KiB for each core, at most yamldoc.MaxDocument. A larger part
// is processed alone. So the YAML parser, which may need a hundred times the size of its input, needs no more memory
// than for the largest document.
//
// After an error, or when its context ends, a pipeline accepts and delivers nothing more.
type pipeline struct {
	ctx      context.Context // ends with the first error
	parent   context.Context
	group    *errgroup.Group
	capacity int64 // in bytes
	free     *semaphore.Weighted
	previous chan struct{} // closed when the results of all work added so far are delivered
}

func newPipeline(parent context.Context) *pipeline {
	capacity := min(int64(runtime.GOMAXPROCS(0))*partsPerCore*defaultPartSize, yamldoc.MaxDocument)
	p := &pipeline{
		parent: parent, capacity: capacity, free: semaphore.NewWeighted(capacity), previous: make(chan struct{}),
	}
	close(p.previous)
	p.group, p.ctx = errgroup.WithContext(parent)
	return p
}

// do starts work on a part of the input, whose size is in bytes. The function that the work returns delivers the
// result. An error of that function ends the pipeline, and later calls return it.
func (p *pipeline) do(size int, work func() (deliver func() error)) error {
	weight := min(max(int64(size), defaultPartSize), p.capacity)
	if p.free.Acquire(p.ctx, weight) != nil || p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	previous, delivered := p.previous, make(chan struct{})
	p.previous = delivered
	p.group.Go(func() error {
		defer p.free.Release(weight)
		deliver := work()
		select {
		case <-previous:
		case <-p.ctx.Done():
		}
		if p.ctx.Err() != nil {
			return context.Cause(p.ctx)
		}
		if err := deliver(); err != nil {
			return err
		}
		close(delivered)
		return nil
	})
	return nil
}

// close waits until all work has ended, and returns the first error, or why the context ended.
func (p *pipeline) close() error { return cmp.Or(p.group.Wait(), context.Cause(p.parent)) }
