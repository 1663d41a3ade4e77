package problems

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// Topic of a warning that may hold for every object of an input alike. Only the first ones of a topic are printed. What
// got lost has no topic: it is always printed.
type Topic int

// The topics, in the order in which more of them are counted at the end.
const (
	OtherGroup Topic = iota
	OtherKind
	NoVersion
	NotForFiles
	UnreadParameters
	UnreadHandle
	UnreadController
	UnreadAllocator
	UnreadLeftover
	DroppedFields
	AdminAccess
	PodClaims
	Classes
	topics
)

// ofTopic are the words for a topic that follow a number.
var ofTopic = [topics]string{
	OtherGroup:       "objects passed through unconverted for their group",
	OtherKind:        "objects passed through unconverted for their kind",
	NoVersion:        "objects passed through unconverted for their apiVersion",
	NotForFiles:      "objects of other kinds passed through as they are",
	UnreadParameters: "objects keep a parametersRef that no driver reads",
	UnreadHandle:     "objects keep the data of classic handles, which drivers ignore",
	UnreadController: "objects keep a controller that nobody reads",
	UnreadAllocator:  "objects have allocations that no controller takes back",
	UnreadLeftover:   "objects carry in annotations what no driver reads",
	DroppedFields:    "objects have fields that the API server of the release drops",
	AdminAccess:      "objects need a label of their namespace for adminAccess",
	PodClaims:        "objects have pods whose resourceClaims need another form",
	Classes:          "classes have no counterpart in the input",
}

// MaxWarnings of a topic are printed: enough to see what is wrong and where, and what all topics together say still fits
// the scrollback of a terminal.
const MaxWarnings = 10

// mark is where a warning of a topic stands in what was written.
type mark struct {
	topic      Topic
	begin, end int
}

// warned counts warnings by their topics.
type warned [topics]int

// Full says to parts that are still worked on which topics need not be printed any more, as they would be cut out. It saves
// time and changes nothing.
type Full [topics]atomic.Bool

// Warn prints a warning about an object.
func (l *Log) Warn(at manifest.Position, h conversion.Header, text string) {
	l.Warnings++
	l.Note(at, h, "warning: "+text)
}

// Enough reports whether a warning of a topic need not be printed any more; then it is counted.
func (l *Log) Enough(t Topic) bool {
	if l.All || l.warned[t] < MaxWarnings && (l.Full == nil || !l.Full[t].Load()) {
		return false
	}
	l.warned[t]++
	l.Warnings++
	return true
}

// Advise prints a warning of a topic about an object, if there were not enough of them.
func (l *Log) Advise(t Topic, at manifest.Position, h conversion.Header, text string) {
	if l.Enough(t) {
		return
	}
	l.warned[t]++
	buffer, later := l.W.(*bytes.Buffer)
	if !later {
		l.Warn(at, h, text)
		return
	}
	begin := buffer.Len()
	l.Warn(at, h, text)
	l.marks = append(l.marks, mark{t, begin, buffer.Len()})
}

// Take what a part says, but for warnings of which there were enough.
func (l *Log) Take(from *Log, said []byte) {
	l.Failed += from.Failed
	l.Warnings += from.Warnings
	shown, written := l.warned, 0
	for _, m := range from.marks {
		if shown[m.topic]++; shown[m.topic] > MaxWarnings && !l.All {
			l.write(said[written:m.begin])
			written = m.end
		}
	}
	l.write(said[written:])
	for t, n := range from.warned {
		if l.warned[t] += n; l.warned[t] >= MaxWarnings && l.Full != nil {
			l.Full[t].Store(true)
		}
	}
}

func (l *Log) write(said []byte) {
	if len(said) > 0 {
		_, _ = l.W.Write(said)
	}
}

// More says of how many objects a warning was not printed. The hint names the flag that prints them all.
func (l *Log) More(hint string) {
	for t, n := range l.warned {
		if n > MaxWarnings && !l.All {
			fmt.Fprintf(l.W, "warning: %d more %s%s\n", n-MaxWarnings, ofTopic[t], hint)
		}
	}
}
