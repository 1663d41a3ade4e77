package metrics

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/go-logr/logr"

	"github.com/claimbridge/claimbridge/internal/plainlog"
)

// Panicked counts a panic and logs it with its stack. Of the value only what the runtime says itself is logged: any
// other text might quote what a caller sent.
func (m *Metrics) Panicked(endpoint string, log logr.Logger, value any) {
	m.panics.WithLabelValues(endpoint).Inc()
	omitted, ok := m.Stacks.Admit()
	if !ok {
		return
	}
	what := fmt.Sprintf("%T", value)
	if err, ok := value.(runtime.Error); ok {
		what = err.Error()
	}
	log.Error(nil, "Caught a panic", "endpoint", endpoint, "panic", what, "stack", plainlog.Lines(debug.Stack()), "omitted", omitted)
}
