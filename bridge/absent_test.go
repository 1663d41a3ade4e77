package bridge

import (
	"net/url"
	"testing"
	"time"
)

func TestEmptyWatchTime(t *testing.T) {
	for seconds, want := range map[string]time.Duration{
		"": maxEmptyWatchTime, "7": 7 * time.Second, "0": maxEmptyWatchTime, "-1": maxEmptyWatchTime,
		"400": maxEmptyWatchTime, "x": maxEmptyWatchTime,
		"9223372037": maxEmptyWatchTime, // overflows a time.Duration
	} {
		if got := emptyWatchTime(url.Values{"timeoutSeconds": {seconds}}); got != want {
			t.Errorf("timeoutSeconds=%s: got %s, want %s", seconds, got, want)
		}
	}
}
