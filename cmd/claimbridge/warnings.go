package main

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/manifest"
	"github.com/claimbridge/claimbridge/conversion"
)

// topic of a warning that may hold for every object of an input alike. Only the first ones of a topic are printed. What
// got lost has no topic: it is always printed.
type topic int

const (
	otherGroup topic = iota
	otherKind
	noVersion
	notForFiles
	unreadParameters
	unreadHandle
	unreadLeftover
	podClaims
	classes
	topics
)

// ofTopic are the words for a topic that follow a number.
var ofTopic = [topics]string{
	otherGroup:       "objects passed through unconverted for their group",
	otherKind:        "objects passed through unconverted for their kind",
	noVersion:        "objects passed through unconverted for their apiVersion",
	notForFiles:      "objects of other kinds passed through as they are",
	unreadParameters: "objects keep a parametersRef that no driver reads",
	unreadHandle:     "objects keep the data of classic handles, which drivers ignore",
	unreadLeftover:   "objects carry in annotations what no driver reads",
	podClaims:        "objects have pods whose resourceClaims need another form",
	classes:          "classes have no counterpart in the input",
}

// maxWarnings of a topic are printed: enough to see what is wrong and where, and what all topics together say still fits
// the scrollback of a terminal.
const maxWarnings = 10

// mark is where a warning of a topic stands in what was written.
type mark struct {
	topic      topic
	begin, end int
}

// warned counts warnings by their topics.
type warned [topics]int

// full says to parts that are still worked on which topics need not be printed any more, as they would be cut out. It saves
// time and changes nothing.
type full [topics]atomic.Bool

// warn prints a warning about an object.
func (p *problems) warn(at manifest.Position, h conversion.Header, text string) {
	p.warnings++
	p.note(at, h, "warning: "+text)
}

// enough tells whether a warning of a topic need not be printed any more; then it is counted.
func (p *problems) enough(t topic) bool {
	if p.all || p.warned[t] < maxWarnings && (p.full == nil || !p.full[t].Load()) {
		return false
	}
	p.warned[t]++
	p.warnings++
	return true
}

// advise prints a warning of a topic about an object, if there were not enough of them.
func (p *problems) advise(t topic, at manifest.Position, h conversion.Header, text string) {
	if p.enough(t) {
		return
	}
	p.warned[t]++
	buffer, later := p.w.(*bytes.Buffer)
	if !later {
		p.warn(at, h, text)
		return
	}
	begin := buffer.Len()
	p.warn(at, h, text)
	p.marks = append(p.marks, mark{t, begin, buffer.Len()})
}

// take what a part says, but for warnings of which there were enough.
func (p *problems) take(from *problems, said []byte) {
	p.failed += from.failed
	p.warnings += from.warnings
	shown, written := p.warned, 0
	for _, m := range from.marks {
		if shown[m.topic]++; shown[m.topic] > maxWarnings && !p.all {
			p.write(said[written:m.begin])
			written = m.end
		}
	}
	p.write(said[written:])
	for t, n := range from.warned {
		if p.warned[t] += n; p.warned[t] >= maxWarnings && p.full != nil {
			p.full[t].Store(true)
		}
	}
}

func (p *problems) write(said []byte) {
	if len(said) > 0 {
		_, _ = p.w.Write(said)
	}
}

// more says of how many objects a warning was not printed. The hint names the flag that prints them all.
func (p *problems) more(hint string) {
	for t, n := range p.warned {
		if n > maxWarnings && !p.all {
			fmt.Fprintf(p.w, "warning: %d more %s%s\n", n-maxWarnings, ofTopic[t], hint)
		}
	}
}
