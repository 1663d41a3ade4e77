package yamldoc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

const (
	// MaxDocument is the size in bytes of the largest document that is not a JSON list, and of the largest item of a
	// JSON list. etcd accepts objects of 1.5 MiB, so only a YAML list can come near: 16 MiB hold 5,000 claims of 3
	// KiB. The YAML parser needs up to 115 bytes of memory for a byte of input (measured with a sequence of digits; 20
	// with claims), which is 2 GiB at most.
	MaxDocument = 16 << 20
	// MaxInput is the size in bytes of the largest stream: 160,000 claims of 3 KiB, more than a cluster has. A JSON
	// list is held in memory as a whole.
	MaxInput = 512 << 20
)

// maxHead limits the bytes of comments that are kept with the document after them. It is twice the size of the longest
// licenses. Longer comments are a document of comments before it.
const maxHead = 64 << 10

// content is the kind of content of a chunk.
type content int

const (
	yamlContent content = iota
	jsonContent
	commentContent // comments that stand alone: before the first separator, between two, or at the end
)

var (
	errDocumentTooLarge = fmt.Errorf("exceeds %d MiB, the limit for one document; a list may be longer as JSON "+
		"(kubectl get -o json)", MaxDocument>>20)
	errInputTooLarge      = fmt.Errorf("exceeds %d MiB, the limit for one input", MaxInput>>20)
	errTooMuchInvalidJSON = fmt.Errorf("has more than %d MiB of JSON that cannot be read, and is read no further",
		MaxDocument>>20)
)

// chunks splits a stream at the lines that YAML reserves for it, "---" and "...". No such line can be within a value,
// neither in YAML nor in JSON, so the split needs no parser and works for documents that no parser can read. A chunk
// of YAML with content after "..." includes that content, and cannot be parsed.
type chunks struct {
	r             *bufio.Reader
	offset        int64 // of the next byte, from the beginning of the stream
	line          int   // number of the next line
	isPartialLine bool  // the last line was longer than the buffer, and its rest is read next
	limit         int64 // of the stream, in bytes
}

// bufferSize is how many bytes of a stream are read at once, and lookahead is how many of them are inspected.
const (
	bufferSize = 64 << 10
	lookahead  = 1 << 10
)

func newChunks(r io.Reader) *chunks {
	size := bufferSize
	if text, isInMemory := r.(interface{ Len() int }); isInMemory { // a file in memory; most are small
		size = min(size, max(text.Len()+1, lookahead))
	}
	return &chunks{r: bufio.NewReaderSize(r, size), line: 1, limit: MaxInput}
}

// next begins a chunk. It returns the lines before the first line with content (comments, directives, blank lines, and
// the separator when content follows on its line) and what the chunk contains. A chunk of comments is returned
// completely. At the end of the stream the error is io.EOF.
func (c *chunks) next() (head []byte, what content, err error) {
	for {
		start, err := c.r.Peek(4)
		if len(start) == 0 {
			return lastChunk(head, err)
		}
		if c.line == 1 && len(head) == 0 {
			if err := c.skipByteOrderMark(start); err != nil {
				return nil, yamlContent, err
			}
		}
		atMarker := isMarker(start)
		if what, isComplete := c.completesHead(head, atMarker); isComplete {
			return head, what, nil
		}
		line, err := c.readLine()
		if err != nil {
			return nil, yamlContent, err
		}
		if atMarker || len(head) > maxHead { // the head has no comments here, only blank lines and directives
			head = head[:0]
		}
		if !atMarker {
			head = append(head, line...)
		} else if text, what := afterMarker(line); len(text) > 0 {
			return append(head, text...), what, nil
		}
	}
}

// lastChunk returns the chunk of comments that a stream ends with, or the error of the stream when there are none.
func lastChunk(head []byte, streamErr error) ([]byte, content, error) {
	if errors.Is(streamErr, io.EOF) && hasComment(head) {
		return head, commentContent, nil
	}
	return nil, yamlContent, streamErr
}

// completesHead reports whether the head ends before the next line, and what the chunk with this head contains.
// atMarker is set if the next line is a separator.
func (c *chunks) completesHead(head []byte, atMarker bool) (what content, isComplete bool) {
	first, isJSON := c.peekLine()
	switch {
	case (atMarker || isJSON || len(head) > maxHead) && hasComment(head):
		return commentContent, true
	case isJSON:
		return jsonContent, true
	case !atMarker && first != 0 && first != '#' && first != '%':
		return yamlContent, true
	}
	return yamlContent, atMarker && c.atContentAfterEnd()
}

// afterMarker returns the text that a separator line adds to the head, and what the text is: the comment behind the
// separator, or the line including the separator when content follows. It returns no text for a separator alone.
func afterMarker(line []byte) (text []byte, what content) {
	following := bytes.TrimLeft(line[3:], " \t\r\n")
	switch {
	case len(following) == 0:
		return nil, yamlContent
	case following[0] == '#':
		return following, commentContent
	}
	return line, yamlContent
}

var (
	commentPattern  = regexp.MustCompile(`(?m)^[ \t]*#`)
	plainKeyPattern = regexp.MustCompile(`^[a-zA-Z]+:[ \r\n]`)
)

// hasComment reports whether one of the lines before a document is a comment.
func hasComment(head []byte) bool { return commentPattern.Match(head) }

// peekLine returns the first character of the line that is not white space, or 0 for a blank line, and whether JSON
// begins there: a brace, and then a quoted name or the closing brace. A YAML flow mapping has bare names.
func (c *chunks) peekLine() (first byte, isJSON bool) {
	begin, _ := c.r.Peek(lookahead) // a brace followed by more white space is JSON
	begin = bytes.TrimLeft(begin, " \t\r")
	if len(begin) == 0 || begin[0] == '\n' {
		return 0, false
	}
	rest := bytes.TrimLeft(begin[1:], " \t\r\n")
	return begin[0], begin[0] == '{' && (len(rest) == 0 || rest[0] == '"' || rest[0] == '}')
}

// skipByteOrderMark skips the byte order mark of UTF-8. A stream that is UTF-16 or UTF-32 is an error.
func (c *chunks) skipByteOrderMark(start []byte) error {
	const mark = "\xef\xbb\xbf"
	switch begin := string(start); {
	case strings.HasPrefix(begin, mark):
		c.offset += int64(len(mark))
		_, err := c.r.Discard(len(mark))
		return err
	case begin == "\xff\xfe\x00\x00", begin == "\x00\x00\xfe\xff":
		return errors.New("is UTF-32, save it as UTF-8")
	case len(start) == 4 && start[0]|start[1] != 0 &&
		(start[0] == 0 && start[2] == 0 || start[1] == 0 && start[3] == 0):
		return errors.New("looks like UTF-16, save it as UTF-8")
	case strings.HasPrefix(begin, "\xff\xfe"), strings.HasPrefix(begin, "\xfe\xff"):
		return errors.New("is UTF-16, save it as UTF-8")
	}
	return nil
}

// readLine returns the next line with its end, or without one at the end of the stream. It is valid until the next
// read. If a line is longer than the buffer, it returns a part of the line.
func (c *chunks) readLine() ([]byte, error) {
	line, err := c.r.ReadSlice('\n')
	c.offset += int64(len(line))
	if c.offset > c.limit {
		return nil, errInputTooLarge
	}
	c.isPartialLine = errors.Is(err, bufio.ErrBufferFull)
	switch {
	case err == nil:
		c.line++
	case c.isPartialLine || errors.Is(err, io.EOF):
		err = nil
	}
	return line, err
}

// atEnd reports whether the chunk ends here.
func (c *chunks) atEnd() bool {
	if c.isPartialLine {
		return false
	}
	start, _ := c.r.Peek(4)
	return len(start) == 0 || isMarker(start)
}

// atEndOfYAML is atEnd for a chunk of YAML, which includes content after "...".
func (c *chunks) atEndOfYAML() bool {
	return c.atEnd() && !c.atContentAfterEnd()
}

// atContentAfterEnd reports whether the next line is "..." with content after it, or may be.
func (c *chunks) atContentAfterEnd() bool {
	start, _ := c.r.Peek(len("... "))
	if !isEndMarker(start) {
		return false
	}
	for _, size := range []int{lookahead, c.r.Size()} {
		following, err := c.r.Peek(size)
		if isComplete := err != nil; isComplete {
			return !endsDocument(following)
		}
		if end := bytes.LastIndexByte(following, '\n'); end >= 0 && !endsDocument(following[:end+1]) {
			return true
		}
		if bytes.Contains(following, []byte("\n---")) && endsDocument(following) {
			return false
		}
	}
	return true
}

// readRest reads the chunk to its end. If the chunk is too large, it is read and not kept.
func (c *chunks) readRest(text []byte) (_ []byte, err error) {
	for !c.atEndOfYAML() {
		line, readErr := c.readLine()
		switch {
		case readErr != nil:
			return nil, readErr
		case len(text)+len(line) > MaxDocument:
			err = errDocumentTooLarge
		case err == nil:
			text = append(text, line...)
		}
	}
	return text, err
}

// isMarker reports whether a line that starts like this separates documents.
func isMarker(start []byte) bool {
	if !bytes.HasPrefix(start, []byte("---")) && !bytes.HasPrefix(start, []byte("...")) {
		return false
	}
	return len(start) == 3 || strings.IndexByte(" \t\r\n", start[3]) >= 0
}
