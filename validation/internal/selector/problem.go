package selector

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Problem is why an expression is refused. The zero value says that it is not.
type Problem struct {
	Type   field.ErrorType
	Detail string
	// Unaffordable is set when we did not try: Kubernetes 1.31 may have taken the expression.
	Unaffordable bool
	// Costly is set when the expression is fine, but costs more than [MaxCost].
	Costly bool
	// Cost by CEL's estimate, where releases look at it: of what compiles, from 1.32 on.
	Cost uint64
}

func unaffordable(kind field.ErrorType, detail string) Problem {
	return Problem{Type: kind, Detail: detail, Unaffordable: true}
}

const (
	// maxCompilerText bounds what the compiler says about one expression, in bytes. Two or three
	// errors in an expression that people write fit.
	maxCompilerText = 1024
	// maxCompilerErrors of an expression that are written out: ten of the shortest fill the text.
	maxCompilerErrors = 10
)

func invalid(detail string) Problem {
	return Problem{Type: field.ErrorTypeInvalid, Detail: bounded(detail)}
}

func internal(err error) Problem {
	return Problem{Type: field.ErrorTypeInternal, Detail: bounded(err.Error())}
}

// doesNotCompile says why, as the compiler does: it draws an arrow below the line at fault. With an
// expression in one long line that would cost more than to compile it, so then there is only the
// place.
func doesNotCompile(expression string, errs []*common.Error) Problem {
	source := common.NewTextSource(expression)
	slices.SortStableFunc(errs, func(a, b *common.Error) int {
		return cmp.Or(a.Location.Line()-b.Location.Line(), a.Location.Column()-b.Location.Column())
	})
	var all []string
	for _, e := range errs[:min(len(errs), maxCompilerErrors)] {
		if line, _ := source.Snippet(e.Location.Line()); len(line) <= maxCompilerText/4 {
			all = append(all, e.ToDisplayString(source))
		} else {
			all = append(all,
				fmt.Sprintf("ERROR: %s:%d:%d: %s", source.Description(), e.Location.Line(), e.Location.Column()+1,
					e.Message))
		}
	}
	return invalid("compilation failed: " + strings.Join(all, "\n"))
}

func bounded(text string) string {
	if len(text) <= maxCompilerText {
		return text
	}
	return strings.ToValidUTF8(text[:maxCompilerText], "") + "..."
}
