package validation

import "k8s.io/apimachinery/pkg/util/validation/field"

// check of one item, at its place.
type check[T any] func(w *write, item T, at place, refuse refuser)

// items of a write that a rule is about one by one, whatever the others are.
type items[T any] struct {
	asked         operations
	ofLaterFields bool
	each          func(w *write, check check[T], refuse refuser)
}

// rule about one of the items.
func (all items[T]) rule(name, reason, source string, check check[T]) Rule {
	return Rule{
		Name: name, Reason: reason, Source: source, asked: all.asked, ofLaterFields: all.ofLaterFields,
		check: func(w *write, refuse refuser) { all.each(w, check, refuse) },
	}
}

// checkList checks each item of a list.
func checkList[T any](w *write, list []T, at place, check check[*T], refuse refuser) {
	for i := range list {
		check(w, &list[i], at.index(i), refuse)
	}
}

// atMost is a rule about the length of a list.
func atMost(most int, name, reason, source string, asked operations, list func(w *write) (length int, at place)) Rule {
	return Rule{Name: name, Reason: reason, Source: source, asked: asked, check: func(w *write, refuse refuser) {
		if n, at := list(w); n > most {
			refuse(w.tooMany(at.path(), n, most))
		}
	}}
}

// place of an item or a field. Its path is built only when an error needs it, or when many steps lead to it.
type place struct {
	from  *field.Path
	steps [5]step
	n     int
}

// step to a field, or without a name to an item.
type step struct {
	name  string
	index int
}

func placeOf(path *field.Path) place { return place{from: path} }

func (p place) child(name string) place { return p.next(step{name: name}) }

func (p place) index(i int) place { return p.next(step{index: i}) }

func (p place) next(s step) place {
	if p.n == len(p.steps) {
		p = placeOf(p.path())
	}
	p.steps[p.n] = s
	p.n++
	return p
}

func (p place) path() *field.Path {
	path := p.from
	for _, s := range p.steps[:p.n] {
		if s.name == "" {
			path = path.Index(s.index)
		} else {
			path = path.Child(s.name)
		}
	}
	return path
}
