package validation

import (
	"golang.org/x/sync/singleflight"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/lru"
)

// expressionProblem is why an expression is refused. The zero value says that it is not.
type expressionProblem struct {
	kind   field.ErrorType
	detail string
}

const (
	// maxRemembered is how many expressions are remembered: as many as a valid claim can have, 32 in each of 32
	// requests, so that whatever is updated after it was created finds all of its own.
	maxRemembered = 32 * 32
	// maxRememberedLength of an expression in bytes: the limit that Kubernetes got in 1.32. A longer one is compiled
	// each time. With what is told about it, an expression costs at most 11.3 KiB, and all together 11.3 MiB.
	maxRememberedLength = 10 * 1024
)

// expressions remembers what compilers say about expressions. It is a memory only: what it answers does not depend on
// what it was asked before. Safe for use by many at once.
type expressions struct {
	compile func(string) expressionProblem
	known   *lru.Cache
	running singleflight.Group
}

// selectorExpressions is shared by all verdicts.
var selectorExpressions = newExpressions(compileSelector)

func newExpressions(compile func(string) expressionProblem) *expressions {
	return &expressions{compile: compile, known: lru.New(maxRemembered)}
}

// check an expression. Who asks for one that is being compiled waits for it.
func (e *expressions) check(expression string) expressionProblem {
	if len(expression) > maxRememberedLength {
		return e.run(expression)
	}
	if found, ok := e.known.Get(expression); ok {
		return found.(expressionProblem)
	}
	found, _, _ := e.running.Do(expression, func() (any, error) {
		if found, ok := e.known.Get(expression); ok { // since the first look
			return found, nil
		}
		problem := e.run(expression)
		e.known.Add(expression, problem)
		return problem, nil
	})
	return found.(expressionProblem)
}

// run the compiler. That of Kubernetes 1.31 panics on some expressions, in functions that it evaluates beforehand since
// they have constant arguments. Should today's do so, the expression is refused, as it would be there.
func (e *expressions) run(expression string) (problem expressionProblem) {
	defer func() {
		if recover() != nil {
			problem = expressionProblem{field.ErrorTypeInternal, "the CEL compiler failed on this expression"}
		}
	}()
	return e.compile(expression)
}
