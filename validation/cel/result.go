package cel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Result is the result of checking an expression. Type is empty if the expression is accepted. Otherwise, Type and
// Detail are the reason to reject it.
type Result struct {
	Type   field.ErrorType
	Detail string
	// ExceedsLimit is set if the expression was not compiled because it exceeds a limit of this package. Kubernetes
	// 1.31 may accept it.
	ExceedsLimit bool
	// ExceedsCost is set if the expression compiles, and costs more than [MaxCost].
	ExceedsCost bool
	// Cost is CEL's estimate for an expression that compiles, from 1.32 on.
	Cost uint64
}

func exceedsLimit(kind field.ErrorType, detail string) Result {
	return Result{Type: kind, Detail: detail, ExceedsLimit: true}
}

const (
	// maxCompilerText limits the compiler's message about one expression, in bytes. Two or three
	// errors in an ordinary expression fit.
	maxCompilerText = 1024
	// maxCompilerErrors is the number of errors of an expression that are listed: ten of the shortest fill the text.
	maxCompilerErrors = 10
)

func invalid(detail string) Result {
	return Result{Type: field.ErrorTypeInvalid, Detail: truncate(detail)}
}

func internal(err error) Result {
	return Result{Type: field.ErrorTypeInternal, Detail: truncate(err.Error())}
}

// doesNotCompile returns the compiler's errors. The compiler quotes the line and draws an arrow below it. For a long
// line that costs more than compiling it, so then only the position is given.
func doesNotCompile(expression string, errs []*common.Error) Result {
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

func truncate(text string) string {
	if len(text) <= maxCompilerText {
		return text
	}
	return strings.ToValidUTF8(text[:maxCompilerText], "") + "..."
}
