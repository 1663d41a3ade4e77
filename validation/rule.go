package validation

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rule is one reason to refuse a write.
type Rule struct {
	// Name in kebab-case, for instance reservations-at-most-32. It is also the name of the directory under testdata
	// that holds the rule's examples.
	Name string
	// Reason in one line: what the rule wants.
	Reason string
	// Source of the rule: the releases of Kubernetes that have it, or "claimbridge" for a rule of
	// our own. Behind a release stand the numbers of its checks in docs/upstream-rules.md: T of
	// templates, CS and CT of a classic spec and status, DS and DT of the ones with devices, N of
	// node selectors. A test holds rules and page together, so that none is forgotten.
	Source string

	// asked says on which operations.
	asked operations
	// transition marks a rule that compares before with after. It says nothing about the content alone.
	transition bool
	// ofLaterFields marks a rule about fields that v1alpha3 got after 1.31. They are judged as in
	// 1.33 then, whoever asks.
	ofLaterFields bool
	// ofNew marks a limit that is younger than what may be stored, so that nothing is held against it as stored.
	ofNew bool
	check func(w *write, refuse refuser)
}

// newer is a rule that sets a limit which is younger than what may be stored.
func newer(r Rule) Rule {
	r.ofNew = true
	return r
}

// Error is one reason for a refusal.
type Error struct {
	// Rule that refuses, by the name it has in the list of rules.
	Rule string
	*field.Error
}

// refuser takes one error of the rule that is being asked.
type refuser func(*field.Error)

// maxErrors bounds a verdict, since three bytes of a hostile object can cost an error of three hundred. Objects that
// keep near the limits of the API have fewer: 64 entries of configuration with 32 wrong references each make 4,096.
// 10,000 errors are about 3 MiB, which is also the greatest request that an API server takes.
const maxErrors = 10_000

// ask each of the rules that has something to say about this write, or one after the other until one refuses.
func ask(rules []Rule, w *write, on operations, untilRefused bool) []Error {
	found := refusals{}
	refuse := found.add
	for i := range rules {
		if r := &rules[i]; r.appliesTo(w, on) && (!untilRefused || len(found.errs) == 0) {
			found.rule = r.Name
			r.check(w, refuse)
		}
	}
	return found.errs
}

func (r *Rule) appliesTo(w *write, on operations) bool {
	return r.asked&on != 0 && (!w.contentOnly || !r.transition && !r.ofNew) && (!r.ofNew || !w.outgrown())
}

// judgedOn is what the operation is to upstream's rules.
func (w *write) judgedOn() operations {
	if w.op == Update && w.kind == claimKind && w.release >= release1_35 {
		return onKept
	}
	return setOf[w.op]
}

// outgrown reports whether a write is of a template whose spec is unchanged, with what the
// release would drop of it. An older version may have stored one beyond limits that came later: it
// must get labels all the same, and lose its finalizers. Of claims the releases from 1.35 on see to
// that.
func (w *write) outgrown() bool {
	return w.op == Update && w.kind == templateKind && w.old.opened != nil && w.new.opened != nil && sameSpec(w) &&
		semantic.DeepEqual(w.old.keptSpec, w.new.keptSpec)
}

var spans = regexp.MustCompile(`\b1\.(\d+)(?: to 1\.(\d+)|(\+))?`)

// isOf reports whether a release has the check, by its source: in "Kubernetes 1.26 CT14, 1.30 to
// 1.31 DT1, 1.34+ DT2" all but 1.27 to 1.29, 1.32 and 1.33. A rule of our own is in all.
func (r *Rule) isOf(judge release) bool {
	if r.ofLaterFields && judge == release1_31 {
		judge = release1_33
	}
	found := spans.FindAllStringSubmatch(r.Source, -1)
	return len(found) == 0 || slices.ContainsFunc(found, func(span []string) bool {
		first, _ := strconv.Atoi(span[1])
		last, _ := strconv.Atoi(cmp.Or(span[2], span[1]))
		return int(judge) >= first && (int(judge) <= last || span[3] != "")
	})
}

// refusals are the errors of rules. Several of one type at one place stay when their words differ.
type refusals struct {
	// rule that is being asked.
	rule string
	errs []Error
	seen map[refusal]bool
}

type refusal struct {
	kind          field.ErrorType
	field, detail string
}

func (f *refusals) add(e *field.Error) {
	key := refusal{e.Type, e.Field, e.Detail}
	if len(f.errs) == maxErrors || f.seen[key] {
		return
	}
	if f.seen == nil {
		f.seen = map[refusal]bool{}
	}
	f.seen[key] = true
	f.errs = append(f.errs, Error{Rule: f.rule, Error: e})
}
