package transcode

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/cmd/claimbridge-apiserver/internal/store"
	"github.com/claimbridge/claimbridge/validation"
)

const (
	// maxTries of a write that others are faster than. An API server tries for as long as the request may last. Of n writers at once one in n
	// wins a try: with 8, as kube-apiserver's own tests have, 50 tries fail once in 800 writes without a pause between them; pauses that differ
	// make it far rarer. One costs two requests of a few milliseconds, so that a caller can have the store do 100 by one.
	maxTries = 50
	// Pauses between tries are random and at most this; the first ones are shorter. A read and a write take some 5 ms.
	firstPause, longestPause = 4 * time.Millisecond, 100 * time.Millisecond
)

// live is the stored object; nil when there is none. It is read with the server's own right, since its caller may be allowed to write it and
// not to read it.
func (c *call) live(ctx context.Context, cached bool) ([]byte, error) {
	resp, err := c.store.Live(ctx, c.request(http.MethodGet, nil, ""), cached)
	if err != nil {
		return nil, err
	}
	body, err := c.readAll(resp)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode == http.StatusOK:
		return body, nil
	case resp.StatusCode == http.StatusNotFound:
		return nil, nil
	case resp.StatusCode == http.StatusForbidden:
		return nil, apierrors.NewInternalError(fmt.Errorf("the service account of claimbridge-apiserver may not get %s, which it must before it writes one", c.GroupResource()))
	}
	after, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
	return nil, apierrors.NewGenericServerResponse(resp.StatusCode, "get", c.GroupResource(), c.name, "", after, false)
}

// change is one try of a write: what becomes of the live object.
type change struct {
	request store.Request
	// final is set when another writer is no reason to try again, as the caller wants one version of the object changed and no other;
	// other, when that is not the live one.
	final, other bool
	// refusal of the version's own rules.
	refusal error
}

// rewrite has an object changed and written, again when another writer was faster. The first try is over what an API server has in memory, as
// its own updates are, which costs no request to etcd. That may be old. So whatever is wrong with it, or stands in the way, is looked at once
// more with what is stored, before anybody is told; and nothing is written over anything but the version that was read.
func (c *call) rewrite(try func(live, shown []byte) (change, error), absent func() error) error {
	ctx, cancel := context.WithTimeout(c.ctx(), maxWrite)
	defer cancel()
	c.r = c.r.WithContext(ctx)
	if done, err := c.tried(ctx, true, try, absent); done {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		if done, err := c.tried(ctx, false, try, absent); done {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(pause)): //nolint:gosec // so that writers do not meet again
		}
	}
}

// tried once; done when there is an answer or an error to give, and nothing to be tried again. What comes before a write is sent can be, when
// it was over what may be old.
func (c *call) tried(ctx context.Context, cached bool, try func(live, shown []byte) (change, error), absent func() error) (done bool, err error) {
	live, err := c.live(ctx, cached)
	switch {
	case err != nil:
		return !cached, err
	case live == nil:
		return !cached, absent()
	}
	shown, err := c.lens.Down(nil, live)
	if err != nil {
		return !cached, c.unshown(live, err)
	}
	next, err := try(live, shown)
	if err != nil {
		return !cached, err
	}
	if cached && (next.other || next.refusal != nil) {
		return false, nil //nolint:nilerr // what memory shows may be old: the store itself is asked next
	}
	c.outcome.Tries++
	if next.refusal != nil {
		return true, c.refuse(next.refusal, next.request, next.final)
	}
	resp, err := c.send(ctx, next.request)
	if err != nil {
		return true, err
	}
	if next.final || c.outcome.Tries == maxTries || resp.StatusCode != http.StatusConflict || !c.overtaken(resp) {
		return true, c.answer(resp)
	}
	_ = resp.Body.Close()
	return false, nil
}

// overtaken tells whether a conflict is that another writer was faster. The answer can still be read.
func (c *call) overtaken(resp *http.Response) bool {
	return strings.HasSuffix(c.peekStatus(resp).Message, overtakenText)
}

// peekStatus reads a Status, empty if there is none, and leaves the answer as it was, with the error that it ends with.
func (c *call) peekStatus(resp *http.Response) (status metav1.Status) {
	body, err := io.ReadAll(&metered{from: resp.Body, room: c.room})
	rest := io.Reader(bytes.NewReader(body))
	if err != nil {
		rest = io.MultiReader(rest, broken{err})
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{rest, resp.Body}
	if err != nil || json.Unmarshal(body, &status) != nil {
		return metav1.Status{}
	}
	return status
}

// broken is the end of an answer that was not whole.
type broken struct{ error }

func (b broken) Read([]byte) (int, error) { return 0, b.error }

const overtakenText = "the object has been modified; please apply your changes to the latest version and try again"

// conflict is the error for an object that is not the one that the caller wants changed.
func (c *call) conflict() error {
	return apierrors.NewConflict(c.GroupResource(), c.name, fmt.Errorf("%s", overtakenText))
}

// put what an object of the version changes into the live one.
func (c *call) put(live, object []byte) ([]byte, error) {
	if c.info.Subresource == "status" {
		return c.lens.PutStatus(nil, live, object)
	}
	return c.lens.Put(nil, live, object)
}

// operation of a write to what is there.
func (c *call) operation() validation.Operation {
	if c.info.Subresource == "status" {
		return validation.UpdateStatus
	}
	return validation.Update
}

// anyVersion tells whether a resourceVersion means whatever is stored: an API server takes none and zero for that.
func anyVersion(resourceVersion string) bool {
	n, err := strconv.ParseUint(resourceVersion, 10, 64)
	return resourceVersion == "" || err == nil && n == 0
}

// ofVersion gives an object for whatever version that of the live one, so that this one is changed and no later one.
func ofVersion(object []byte, resourceVersion string) ([]byte, error) {
	return replace(nil, object, "metadata", func(out, metadata []byte) ([]byte, error) {
		return replace(out, metadata, "resourceVersion", setString(resourceVersion))
	})
}
