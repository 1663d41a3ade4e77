package selector

import "context"

// Write judges the expressions of one write of one object, for as long as somebody waits for it. Not for use by many at
// once.
type Write struct {
	ctx    context.Context
	memory *memory
	left   int64
	known  map[question]Problem
	err    error
}

// NewWrite begins to judge a write.
func NewWrite(ctx context.Context) *Write { return shared.write(ctx) }

func (m *memory) write(ctx context.Context) *Write {
	return &Write{ctx: ctx, memory: m, left: maxWeightOfWrite}
}

// Problem with the expression of a selector in a release of Kubernetes, by its minor number: 31 to
// 38. One that occurs again costs nothing. Once the expressions of the write cost more than can be
// afforded, all others have that problem. Once nobody waits any more there is no verdict, see
// [Write.Err].
func (w *Write) Problem(expression string, release int) Problem {
	return w.ask(question{expression: expression, release: release})
}

// ProblemOfAttribute is that of an expression which derives an attribute, as it can from 1.37 on.
func (w *Write) ProblemOfAttribute(expression string, release int) Problem {
	return w.ask(question{expression: expression, release: release, attribute: true})
}

func (w *Write) ask(q question) Problem {
	if w.err != nil {
		return Problem{}
	}
	if known, ok := w.known[q]; ok {
		return known
	}
	problem := tooMuchTogether
	if w.left > 0 {
		var v verdict
		if v, w.err = w.memory.verdict(w.ctx, q); w.err != nil {
			return Problem{}
		}
		problem = v.problem
		w.left -= v.weight
	}
	if w.known == nil {
		w.known = map[question]Problem{}
	}
	w.known[q] = problem
	return problem
}

// Spent reports that the write has spent all that can be afforded.
func (w *Write) Spent() bool { return w.left <= 0 }

// Err reports that there is no verdict, because the context was done before, or that the compiler is busy: [ErrBusy].
func (w *Write) Err() error { return w.err }
