package preflight

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/util/retry"
)

// eventComponent is whom Events are from.
const eventComponent = "claimbridge-preflight"

// eventBytes of a text: what events.k8s.io/v1 allows, in which clients read what is written as core/v1.
const eventBytes = 1024

// write the Event of a note, or count it up. A recorder of client-go knows only what its own process has written, so that each run of a CronJob
// would write all of them anew; here the name of the Event says what it is about.
func (c *cluster) write(ctx context.Context, n note) error {
	name := n.eventName()
	err := retry.OnError(retry.DefaultBackoff, inBetween, func() error {
		event := n.event(name, metav1.Now())
		body, err := read(c.client.Get().AbsPath(events.path(event.Namespace, name)).SetHeader("Accept", asJSON).Do(ctx))
		if apierrors.IsNotFound(err) {
			return c.send(ctx, http.MethodPost, events.path(event.Namespace, ""), event)
		}
		if err != nil {
			return err
		}
		known, err := decode[corev1.Event](body)
		if err != nil {
			return err
		}
		if event.ResourceVersion = known.ResourceVersion; known.InvolvedObject.UID == n.uid { // else of an object that is gone
			event.Count, event.FirstTimestamp = known.Count+1, known.FirstTimestamp
		}
		return c.send(ctx, http.MethodPut, events.path(event.Namespace, name), event)
	})
	if refused(err) {
		return fmt.Errorf("write Event %s/%s: %s; allow get, create and update on events in namespace %[1]s (docs/preflight.md, \"Events\")", metav1.NamespaceDefault, name, oneLine(message(err)))
	}
	if err != nil {
		return fmt.Errorf("write Event %s/%s: %s", metav1.NamespaceDefault, name, oneLine(message(err)))
	}
	return nil
}

// inBetween somebody else wrote the same Event, or the API server has just forgotten it.
func inBetween(err error) bool {
	return apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) || apierrors.IsNotFound(err)
}

func (c *cluster) send(ctx context.Context, verb, path string, event *corev1.Event) error {
	body, err := json.Marshal(event)
	if err != nil {
		return err
	}
	return c.client.Verb(verb).AbsPath(path).SetHeader("Content-Type", asJSON).SetHeader("Accept", asJSON).Body(body).Do(ctx).Error()
}

// eventName of the object and the check, as long as names may be: of an object with a very long name as much as fits.
func (n note) eventName() string {
	object := n.noted.name
	if room := validation.DNS1123SubdomainMaxLength - len("."+n.check); len(object) > room {
		object = strings.TrimRight(object[:room], ".-")
	}
	return object + "." + n.check
}

func (n note) event(name string, now metav1.Time) *corev1.Event {
	return &corev1.Event{
		TypeMeta:       metav1.TypeMeta{APIVersion: events.version, Kind: events.kind},
		ObjectMeta:     metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: name},
		InvolvedObject: corev1.ObjectReference{APIVersion: n.group + "/" + n.version, Kind: n.kind, Name: n.noted.name, UID: n.uid},
		Type:           corev1.EventTypeWarning, Reason: n.check, Message: n.text(),
		FirstTimestamp: now, LastTimestamp: now, Count: 1,
		Source: corev1.EventSource{Component: eventComponent}, ReportingController: eventComponent,
	}
}

// text of the first finding: what is wrong in half of the room at most, then the remedy, and the command where all of it fits. Half a command would do
// something else.
func (n note) text() string {
	first, more := n.findings[0], ""
	if others := len(n.findings) - 1; others > 0 {
		more = fmt.Sprintf(" (and %d more, see claimbridge preflight)", others)
	}
	what := first.What
	if about := n.object("", n.noted.name); about != first.Object {
		what = first.Object.String() + ": " + what
	}
	what = upTo(eventBytes/2, what) + more
	text := upTo(eventBytes, what+"; remedy: "+first.Remedy)
	if whole := text + ": " + first.Command; first.Command != "" && len(whole) <= eventBytes {
		return whole
	}
	return text
}

// upTo so many bytes of a text.
func upTo(most int, text string) string {
	const cut = "..."
	if len(text) <= most {
		return text
	}
	for most -= len(cut); !utf8.RuneStart(text[most]); most-- {
	}
	return text[:most] + cut
}
