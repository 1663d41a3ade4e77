package review

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/claimbridge/claimbridge/test/testkit/must"
	"github.com/claimbridge/claimbridge/validation"
)

// TestWhatIsBuiltIsPaidFor: few bytes are many items, which a verdict builds, compares and has
// errors about. All that it takes, garbage too, is within some times of what the request holds.
func TestWhatIsBuiltIsPaidFor(t *testing.T) {
	for name, shape := range map[string][3]string{
		"requests within requests": {
			`{"devices":{"requests":[`,
			`{"firstAvailable":[` + strings.Repeat("{},", 399) + `{}]}`,
			`]}}`,
		},
		"requests of configs": {
			`{"devices":{"config":[`,
			`{"requests":[` + strings.Repeat(`"r",`, 699) + `"r"]}`,
			`]}}`,
		},
	} {
		spec := shape[0] + strings.Repeat(shape[1]+",", 299) + shape[1] + shape[2]
		object := `{"apiVersion":"resource.k8s.io/v1alpha3","kind":"ResourceClaim","metadata":{"name":"a",` +
			`"namespace":"b"},"spec":` + spec + `}`
		body := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"object":` + object + `}}`
		request := httptest.NewRequest(http.MethodPost, "/validate", strings.NewReader(body))
		c := &call{
			Request:    request,
			body:       request.Body,
			memory:     newMemory(1<<40, nil),
			connection: http.NewResponseController(httptest.NewRecorder()),
		}
		var review admissionReview
		must.Do(t, review.read(c))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := validation.Judge(t.Context(), validation.Request{
			Operation: validation.Create, Object: review.Request.Object,
		})
		runtime.ReadMemStats(&after)
		if took := int64(after.TotalAlloc - before.TotalAlloc); took > 8*c.held {
			t.Errorf("%s: %d bytes take %d MiB, and hold %d MiB (%v)", name, len(body), took>>20, c.held>>20, err)
		}
	}
}

// Who has to wait for more gives back what it holds: it could wait for itself.
func TestNobodyWaitsForWhatItHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(2*minWeight, &atomic.Bool{})
		one := &call{memory: m}
		other := &call{
			memory:  m,
			Request: httptest.NewRequest(http.MethodPost, "/convert", nil),
			until:   time.Now().Add(time.Minute),
		}
		must.Do(t, one.hold(0, 0))
		must.Do(t, other.hold(0, 0))
		time.AfterFunc(maxWait/2, one.release)
		if err := other.hold(m.size/perByte, 0); err != nil || other.held != m.size {
			t.Errorf("%d of %d held: %v", other.held, m.size, err)
		}
	})
}
