package bridge

import (
	"testing"

	"k8s.io/client-go/rest"
)

func TestAProxyRefusesAnAnswerThatItDoesNotKnow(t *testing.T) {
	for absent, refused := range map[Absent]bool{"": false, Empty: false, NotFound: false, "Empty": true, "none": true} {
		if _, err := Proxy(&rest.Config{Host: "https://127.0.0.1:1"}, ProxyOptions{Options: Options{Absent: absent}}); (err != nil) != refused {
			t.Errorf("%q: %v", absent, err)
		}
	}
}
