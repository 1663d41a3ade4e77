package convert

import "github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"

// Files that change wait for the disk together, which takes little more than to wait for one of them: so many, since they are open
// meanwhile, and of so many bytes, since some of what they became is in memory.
const (
	maxPending     = 128
	maxPendingSize = 1 << 20
)

// pending are files whose texts are not on the disk yet, and those behind them, whose turn has to wait.
type pending struct {
	put    func(*edit) error
	edits  []*edit
	staged []*files.Staged
	size   int
}

// add a file. One that does not change does not wait, unless others do.
func (p *pending) add(e *edit) error {
	p.edits = append(p.edits, e)
	p.size += e.size + len(e.diff)
	if e.staged != nil {
		p.staged = append(p.staged, e.staged)
	}
	if len(p.staged) > 0 && len(p.edits) < maxPending && p.size < maxPendingSize {
		return nil
	}
	return p.flush()
}

// flush puts what waits, in the order in which it was added.
func (p *pending) flush() error {
	files.Sync(p.staged)
	edits := p.edits
	p.edits, p.staged, p.size = p.edits[:0], p.staged[:0], 0
	for i, e := range edits {
		edits[i] = nil
		if err := p.put(e); err != nil {
			return err
		}
	}
	return nil
}
