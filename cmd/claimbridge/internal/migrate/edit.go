package migrate

import (
	"bytes"
	"errors"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/files"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/input"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/terminal"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/yamldoc"
)

// edit one file. Its texts are garbage when it returns: only what is to be shown of them is kept.
func (r *inFiles) edit(file input.File) *edit {
	p := r.part()
	e := &edit{name: file.Name(), part: p, other: !file.Manifest}
	if file.Err != nil {
		_, e.skipped = errors.AsType[*input.SkippedError](file.Err)
		p.log.Error(file.Err)
		return e
	}
	if e.other && r.OutputDir == "" {
		return e
	}
	text, info, err := file.Read(r.stdin, "a file that is edited")
	if err != nil {
		p.log.File(e.name, err)
		return e
	}
	r.progress.files.Add(1)
	changed := text
	switch {
	case r.input.Pages && file.Manifest && yamldoc.IsMarkdown(file.Path):
		blocks := yamldoc.Blocks(text)
		changed = r.text(e, blocks, text)
		e.other = e.objects == 0
	case file.Manifest:
		changed = r.text(e, text, text)
		e.skipped = e.objects == 0 && (e.documents > 0 || file.IsStandardInput())
	}
	if e.skipped && r.Explain {
		p.log.Line(e.name + ": holds no object of Kubernetes, skipped")
	}
	r.progress.bytes.Add(int64(len(text)))
	if r.ctx.Err() != nil {
		return e // which nobody takes any more
	}
	e.changed = !bytes.Equal(text, changed)
	if p.log.Failed > 0 {
		p.log.TakeBack()
		if e.changed {
			p.log.Line(e.name + ": is unchanged")
		}
		e.changed = false
		return e
	}
	if err := r.stage(e, file, info, changed); err != nil {
		e.isLeft(err)
	}
	if e.changed && r.Diff {
		e.diff = files.Diff(e.name, text, changed)
		if r.colored {
			e.diff = files.Colored(terminal.Escape(e.diff))
		}
	}
	return e
}

// isLeft as it is, since it cannot be written.
func (e *edit) isLeft(err error) {
	e.part.log.TakeBack()
	e.part.log.File(e.name, err)
	e.changed = false
}

// text is what that of a file becomes: documents that change are replaced where they stand. They
// are read of a text that is as long. It is of no use when the context has ended.
func (r *inFiles) text(e *edit, text, file []byte) []byte {
	p := e.part
	var changes []change
	for d, err := range yamldoc.Documents(text, e.name) {
		if r.ctx.Err() != nil {
			break
		}
		if d != nil {
			d.AnyKey = d.APIVersion == "" && d.Kind == ""
		}
		said := p.log.Failed + p.log.Warnings + p.seen + p.right
		w, isObject := p.inFile(e, d, err, text)
		if _, more := errors.AsType[*yamldoc.DocumentError](err); err != nil && !more {
			break
		}
		e.documents++
		if isObject || w.changed || p.log.Failed+p.log.Warnings+p.seen+p.right > said {
			e.objects++
		}
		if !w.changed {
			continue
		}
		is, err := p.replaced(d, w)
		if err != nil {
			p.log.Refuse(d.Position, problems.HeaderOf(d), []problems.What{notInPlace("", err)})
			continue
		}
		_, begin, end := d.Source()
		changes = append(changes, change{begin, end, is})
	}
	return changedText(file, changes)
}
