package plainlog

import (
	"bytes"
	"errors"
	"flag"
	"strings"
	"testing"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

const forged = "x\nI1121 23:00:00.000000       1 run.go:86] \"FAKE\"\r\x1b[2J\u202e\u2028\x00\xff"

// Each kind of value is logged as one line, through the sinks of klog.
func TestOneCallIsOneLine(t *testing.T) {
	calls := map[string]any{
		"a text": forged, "a name": klog.ObjectRef{Namespace: forged, Name: forged}, "a list": []string{"a", forged},
		"an error": errors.New(forged), "a key": klog.KRef(forged, forged),
	}
	for name, value := range calls {
		t.Run(name, func(t *testing.T) {
			var text, global bytes.Buffer
			logger := New(textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&text))))
			logger.Info("Said", "value", value)
			logger.WithValues("with", value).WithName(forged).Info(forged)
			logger.Error(errors.New(forged), "Failed", "value", value)

			flags := flag.NewFlagSet("", flag.PanicOnError)
			klog.InitFlags(flags)
			_ = flags.Set("logtostderr", "false")
			_ = flags.Set("one_output", "true") // and not errors to each of the lesser files as well
			klog.SetOutput(&global)
			logger = New(klog.Background())
			logger.Info("Said", "value", value)
			logger.Error(errors.New(forged), "Failed", "value", value)
			klog.Flush()
			_ = flags.Set("logtostderr", "true")

			for sink, test := range map[string]struct {
				lines int
				said  string
			}{"textlogger": {3, text.String()}, "klog": {2, global.String()}} {
				if lines := strings.Count(test.said, "\n"); lines != test.lines {
					t.Errorf("%s: %d lines, want %d: %q", sink, lines, test.lines, test.said)
				}
				if strings.ContainsAny(test.said, "\x1b\r\x00\u202e\u2028") {
					t.Errorf("%s: control characters in %q", sink, test.said)
				}
				if !strings.Contains(test.said, "plainlog_test.go:") {
					t.Errorf("%s: the line is said to be from elsewhere: %q", sink, test.said)
				}
			}
		})
	}
}

func TestText(t *testing.T) {
	for given, want := range map[string]string{
		"gpu-é 1": "gpu-é 1",
		"a\nb":    `a\nb`,
		"\x1b[2J": `\x1b[2J`,
		"a\"b":    `a"b`,
		"\xff":    `\xff`,
		"\u202e":  `\u202e`,
		"\ufffd":  "\ufffd",
	} {
		if got := Text(given); got != want {
			t.Errorf("%q is logged as %q, want %q", given, got, want)
		}
	}
}
