package review

import (
	"fmt"
	"strings"

	"github.com/claimbridge/claimbridge/webhook/internal/httperror"
)

const (
	// maxCauses is the number of causes that a message lists. An API server sends one object at a time, and a user
	// fixes up to ten problems before the next attempt.
	maxCauses = 10
	// maxCause in bytes fits a namespace and a name of 63 and 253 bytes, a field path and a sentence. Ten of them are
	// far below the 32 KiB at which the output of kubectl and audit logs become unreadable.
	maxCause = 1024
)

// failures are the failures of one review. All are counted, and the first ones are reported. It is an error whose text
// an API server passes to its client, after "conversion webhook for ... failed: ".
type failures struct {
	desired string
	objects int
	count   int
	causes  []string
	// review is the error of the review as a whole.
	review error
}

func (f *failures) add(index int, err error) {
	f.count++
	if len(f.causes) < maxCauses {
		f.causes = append(f.causes, httperror.Truncate(fmt.Sprintf("objects[%d]: %v", index, err), maxCause))
	}
}

// all returns all reported causes, first that of the review.
func (f failures) all() []string {
	if f.review == nil {
		return f.causes
	}
	return append([]string{httperror.Truncate(f.review.Error(), maxCause)}, f.causes...)
}

func (f failures) Error() string {
	message := strings.Join(f.all(), "; ")
	if more := f.count - len(f.causes); more > 0 {
		message += fmt.Sprintf("; and %d more", more)
	}
	if f.count == 0 || f.objects == 1 {
		return message
	}
	return fmt.Sprintf("%d of %d objects cannot be converted to %s: %s", f.count, f.objects, f.desired, message)
}

// logName returns the namespace and the name of an object, truncated to their maximum lengths.
func logName(namespace, name string) string {
	if namespace == "" {
		return httperror.Truncate(name, 253)
	}
	return httperror.Truncate(namespace, 63) + "/" + httperror.Truncate(name, 253)
}

// firstTen returns the first ten paths of fields, truncated, for the log.
func firstTen(paths []string) []string {
	out := make([]string, 0, min(len(paths), maxCauses))
	for _, path := range paths[:min(len(paths), maxCauses)] {
		out = append(out, httperror.Truncate(path, 256))
	}
	return out
}
