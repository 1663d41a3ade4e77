package batch

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/terminal"
)

// progress is a line on the terminal that says how much of a long conversion is done. It is below all other output, and
// is removed at the end. It is not written to anything but a terminal.
type progress struct {
	objects, files, bytes atomic.Int64
	// allFiles and allBytes are the size of the input, 0 if it is not known.
	allFiles int
	allBytes int64

	mutex          sync.Mutex // of all below
	w              io.Writer
	shown, stopped bool
	begun          time.Time
}

const (
	// progressAfter is how long a run takes at least before the line is written.
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
	// eraseLine is understood by every terminal since the VT100.
	eraseLine = "\r\x1b[K"
)

// startProgress writes the line to stderr until stop is called, if stderr is a terminal and the output does not go to
// one. The caller writes messages through the returned writer.
func startProgress(files []input.File, answers bool, stdout, stderr io.Writer) (p *progress, stop func()) {
	p = &progress{w: stderr, begun: time.Now(), allFiles: len(files), allBytes: input.SizeOf(files)}
	if terminal.IsTerminal(stderr) && (!answers || !terminal.IsTerminal(stdout)) {
		time.AfterFunc(progressAfter, p.tick)
	}
	return p, p.stop
}

func (p *progress) tick() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.stopped {
		p.show(p.line(time.Since(p.begun)))
		time.AfterFunc(progressEvery, p.tick)
	}
}

func (p *progress) stop() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.stopped = true
	p.show("")
}

// Write a message to stderr; the line comes back below it.
func (p *progress) Write(message []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.show("")
	return p.w.Write(message)
}

// show a line in place of the one that is shown, or none.
func (p *progress) show(line string) {
	if p.shown || line != "" {
		_, _ = io.WriteString(terminal.Unescaped(p.w), eraseLine+line)
	}
	p.shown = line != ""
}

func (p *progress) line(took time.Duration) string {
	bytes := p.bytes.Load()
	megabytes, objects := float64(bytes)/1e6, p.objects.Load()
	if p.allBytes == 0 {
		return fmt.Sprintf("%d objects, %.0f MB read, %.0f MB/s", objects, megabytes, megabytes/took.Seconds())
	}
	line := fmt.Sprintf("%d objects in %d of %d files, %.0f of %.0f MB (%d%%)",
		objects, p.files.Load(), p.allFiles, megabytes, float64(p.allBytes)/1e6, min(100*bytes/p.allBytes, 100))
	if left := p.allBytes - bytes; bytes > 0 && left > 0 { // a file may grow meanwhile
		line += fmt.Sprintf(", %.0f s left", took.Seconds()*float64(left)/float64(bytes))
	}
	return line
}

// reader counts what is read.
func (p *progress) reader(r io.Reader) io.Reader {
	p.files.Add(1)
	return io.TeeReader(r, counter{&p.bytes})
}

type counter struct{ *atomic.Int64 }

func (c counter) Write(read []byte) (int, error) {
	c.Add(int64(len(read)))
	return len(read), nil
}
