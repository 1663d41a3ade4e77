package batch

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/claimbridge/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/internal/terminal"
)

// progress is a line on the terminal that says how much of a long conversion is done. It is below all other output, and
// is removed at the end. It is not written to anything but a terminal.
type progress struct {
	objects, files, bytes atomic.Int64
	// allFiles and allBytes are the size of the input. They are 0 if it is not known.
	allFiles int
	allBytes int64

	mutex     sync.Mutex // guards the fields below
	w         io.Writer
	isShown   bool
	isStopped bool
	start     time.Time
}

const (
	// progressDelay is the time from the start of a run to the first line.
	progressDelay    = time.Second
	progressInterval = 200 * time.Millisecond
	// eraseLine is understood by every terminal since the VT100.
	eraseLine = "\r\x1b[K"
)

// startProgress writes the line to stderr until stop is called, if stderr is a terminal and the output does not go to
// one. The caller writes messages through the returned writer.
func startProgress(files []input.File, hasOutput bool, stdout, stderr io.Writer) (p *progress, stop func()) {
	p = &progress{w: stderr, start: time.Now(), allFiles: len(files), allBytes: input.SizeOf(files)}
	if terminal.IsTerminal(stderr) && (!hasOutput || !terminal.IsTerminal(stdout)) {
		time.AfterFunc(progressDelay, p.tick)
	}
	return p, p.stop
}

// tick shows the current line, and schedules the next one.
func (p *progress) tick() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.isStopped {
		p.show(p.line(time.Since(p.start)))
		time.AfterFunc(progressInterval, p.tick)
	}
}

func (p *progress) stop() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.isStopped = true
	p.show("")
}

// Write writes a message to stderr. The next tick shows the line below the message.
func (p *progress) Write(message []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.show("")
	return p.w.Write(message)
}

// show replaces the current line. It removes the line if the new one is empty.
func (p *progress) show(line string) {
	if p.isShown || line != "" {
		_, _ = io.WriteString(terminal.Unescaped(p.w), eraseLine+line)
	}
	p.isShown = line != ""
}

// line returns the text of the line.
func (p *progress) line(elapsed time.Duration) string {
	bytes := p.bytes.Load()
	megabytes, objects := float64(bytes)/1e6, p.objects.Load()
	if p.allBytes == 0 {
		return fmt.Sprintf("%d objects, %.0f MB read, %.0f MB/s", objects, megabytes, megabytes/elapsed.Seconds())
	}
	line := fmt.Sprintf("%d objects in %d of %d files, %.0f of %.0f MB (%d%%)",
		objects, p.files.Load(), p.allFiles, megabytes, float64(p.allBytes)/1e6, min(100*bytes/p.allBytes, 100))
	if remaining := p.allBytes - bytes; bytes > 0 && remaining > 0 { // negative if a file has grown
		line += fmt.Sprintf(", %.0f s left", elapsed.Seconds()*float64(remaining)/float64(bytes))
	}
	return line
}

// reader returns a reader that counts the bytes that are read.
func (p *progress) reader(r io.Reader) io.Reader {
	p.files.Add(1)
	return io.TeeReader(r, counter{&p.bytes})
}

type counter struct{ *atomic.Int64 }

func (c counter) Write(read []byte) (int, error) {
	c.Add(int64(len(read)))
	return len(read), nil
}
