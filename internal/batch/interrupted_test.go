package batch

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/test/testkit/must"
)

// endingContext is a context that ends after a number of calls of Err.
type endingContext struct {
	context.Context
	remainingCalls int
}

func (c *endingContext) Err() error {
	c.remainingCalls--
	if c.remainingCalls < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptedRunStopsWithinAFile checks that an interrupted run does not convert the remaining documents of a file,
// which may be hundreds of thousands.
func TestInterruptedRunStopsWithinAFile(t *testing.T) {
	text := strings.Repeat(someClaim+"---\n", 10)
	inDir(t, map[string]string{"a.yaml": text})
	o := Options{Options: migrate.Options{To: release.Target{Version: "v1"}, Groups: claims.Groups{api.Group}}}
	r := newInPlace(t.Context(), &input.Input{}, o, FileOptions{Write: true}, &progress{w: io.Discard})
	r.pipeline = &pipeline{ctx: &endingContext{t.Context(), 3}}
	file := input.File{Path: "a.yaml", RelativePath: "a.yaml", Size: int64(len(text)), IsNamed: true, IsManifest: true}
	result := r.convertFile(file)
	if n := result.result.Counts.Claims; n != 3 {
		t.Errorf("%d documents were converted, want the 3 before the end", n)
	}
	if result.staged != nil || result.isChanged {
		t.Error("the file would be written")
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestAnInterruptedRunLeavesNoTemporaryFile checks that an interrupted run waits for work that has started, delivers
// nothing more, and leaves no temporary file.
func TestAnInterruptedRunLeavesNoTemporaryFile(t *testing.T) {
	inDir(t, map[string]string{"a.yaml": someClaim})
	in := input.Input{Files: []string{"a.yaml"}}
	file := in.List()[0]
	text, info, err := file.Read(nil)
	must.Do(t, err)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	r := &inPlace{FileOptions: FileOptions{Write: true}, pipeline: newPipeline(ctx)}
	parts := int(r.pipeline.capacity / defaultPartSize)
	started := make(chan struct{}, 2*parts)
	proceed := make(chan struct{})
	for i := range 2 * parts { // more than there is room for
		err = r.pipeline.do(defaultPartSize, func() func() error {
			started <- struct{}{}
			<-proceed
			if err := r.stage(&fileResult{isChanged: true}, file, info, text); err != nil {
				t.Error(err)
			}
			return func() error {
				t.Error("a result was delivered")
				return nil
			}
		})
		if err != nil {
			break
		}
		<-started
		if i == parts-1 { // and nothing was delivered
			end()
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("more work was accepted: %v", err)
	}
	close(proceed)
	if err := r.pipeline.close(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r.discard()
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}
