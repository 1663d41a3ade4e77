package batch

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/claimbridge/claimbridge/api"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/claims"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/migrate"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
)

// endsAfter so many looks at it.
type endsAfter struct {
	context.Context
	looks int
}

func (c *endsAfter) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A file may be of hundreds of thousands of documents: whoever stops the program does not wait for them.
func TestAnEndIsNoticedBetweenTheDocumentsOfAFile(t *testing.T) {
	text := strings.Repeat(someClaim+"---\n", 10)
	inFolder(t, map[string]string{"a.yaml": text})
	o := Options{Options: migrate.Options{To: release.Target{Version: "v1"}, Groups: claims.Groups{api.Group}}}
	r := newInPlace(t.Context(), &input.Input{}, o, FileOptions{Write: true}, &progress{w: io.Discard})
	r.pipeline = &pipeline{ctx: &endsAfter{t.Context(), 3}}
	file := input.File{Path: "a.yaml", Below: "a.yaml", Size: int64(len(text)), Named: true, Manifest: true}
	result := r.file(file)
	if n := result.result.Counts.Claims; n != 3 {
		t.Errorf("%d documents were converted, want the 3 before the end", n)
	}
	if result.staged != nil || result.isChanged {
		t.Error("the file is to be written")
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// A document may be a list of tens of thousands of claims, which nobody waits for either: what it
// becomes is not delivered, and no temporary file is made when all others are gone.
func TestNobodyWaitsForWorkThatGoesOnAfterTheEnd(t *testing.T) {
	inFolder(t, map[string]string{"a.yaml": someClaim})
	text, info, err := files.Read(files.At("a.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	r := &inPlace{FileOptions: FileOptions{Write: true}, pipeline: newPipeline(ctx)}
	parts := int(r.room / partSize)
	at, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error, 2*parts)
	for i := range 2 * parts { // more than there is room for
		err = r.do(partSize, func() func() error {
			at <- struct{}{}
			<-goOn
			done <- r.stage(&fileResult{isChanged: true}, input.File{Path: "a.yaml"}, info, text)
			return func() error {
				t.Error("it is delivered")
				return nil
			}
		})
		if err != nil {
			break
		}
		<-at
		if i == parts-1 { // and nothing was delivered
			end()
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("more work was taken: %v", err)
	}
	if err := r.close(); !errors.Is(err, context.Canceled) { // which would wait for ever
		t.Error(err)
	}
	r.discard()
	close(goOn)
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a temporary file is made: %v", err)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
