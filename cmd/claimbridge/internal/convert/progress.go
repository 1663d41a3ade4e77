package convert

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// progress is a line on the terminal that says how far a long conversion is. It stands behind whatever else is written
// to the terminal, and goes when all is done. What is not a terminal sees nothing of it.
type progress struct {
	objects, bytes atomic.Int64

	mutex sync.Mutex
	w     io.Writer
	shown bool
	begun time.Time
}

const (
	// progressAfter is when the line comes: who waits less does not wonder.
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
	// eraseLine is understood by every terminal since the VT100.
	eraseLine = "\r\x1b[K"
)

// startProgress shows a line on stderr until stop is called, if stderr is a terminal and stdout is not, since the line
// would be in the way of the answer. Messages to stderr are to go through the returned writer.
func startProgress(stdout, stderr io.Writer) (p *progress, stop func()) {
	p = &progress{w: stderr, begun: time.Now()}
	if !isTerminal(stderr) || isTerminal(stdout) {
		return p, func() {}
	}
	done := make(chan struct{})
	var drawing sync.WaitGroup
	drawing.Go(func() {
		timer := time.NewTimer(progressAfter)
		defer timer.Stop()
		for {
			select {
			case <-done:
				p.erase()
				return
			case <-timer.C:
				p.draw(time.Since(p.begun))
				timer.Reset(progressEvery)
			}
		}
	})
	return p, func() {
		close(done)
		drawing.Wait()
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Write a message to stderr; the line comes back below it.
func (p *progress) Write(message []byte) (int, error) {
	p.erase()
	return p.w.Write(message)
}

func (p *progress) erase() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		p.shown = false
		_, _ = io.WriteString(p.w, eraseLine)
	}
}

func (p *progress) draw(took time.Duration) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.shown = true
	megabytes := float64(p.bytes.Load()) / 1e6
	_, _ = fmt.Fprintf(p.w, "%s%d objects, %.0f MB read, %.0f MB/s", eraseLine, p.objects.Load(), megabytes, megabytes/took.Seconds())
}

// reader counts what is read.
func (p *progress) reader(r io.Reader) io.Reader { return &countingReader{r, &p.bytes} }

type countingReader struct {
	io.Reader
	read *atomic.Int64
}

func (r *countingReader) Read(buffer []byte) (int, error) {
	n, err := r.Reader.Read(buffer)
	r.read.Add(int64(n))
	return n, err
}
