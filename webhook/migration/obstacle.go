package migration

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// ObstacleError is a cause that no object can be mended of: a right that is missing, or somebody who does not answer. It ends a run.
type ObstacleError struct {
	Kind ObstacleKind
	// Doing what failed, as a verb and the name of a definition, like "patch resourceclaims.claims.example.com".
	Doing string
	// Err is the answer of the API server.
	Err error
}

// ObstacleKind tells who can do something about an obstacle.
type ObstacleKind string

const (
	// NoRight is a right that the user lacks.
	NoRight ObstacleKind = "no right"
	// NoUser is a user whom the API server does not know.
	NoUser ObstacleKind = "no user"
	// NoWebhook is a webhook that does not answer the API server.
	NoWebhook ObstacleKind = "no webhook"
	// NoServer is an API server that does not answer, or has too much to do.
	NoServer ObstacleKind = "no server"
)

func (o *ObstacleError) Error() string { return o.Doing + ": " + o.Err.Error() }

func (o *ObstacleError) Unwrap() error { return o.Err }

// passing reports whether it may be over in a moment.
func (o *ObstacleError) passing() bool { return o.Kind == NoWebhook || o.Kind == NoServer }

// obstacle that an error is, or nil when it may be one of the object alone.
func obstacle(doing string, err error) *ObstacleError {
	if kind := obstacleKind(err); kind != "" {
		return &ObstacleError{kind, doing, err}
	}
	return nil
}

// doing says what failed: an obstacle, or another error.
func doing(what string, err error) error {
	if o := obstacle(what, err); o != nil {
		return o
	}
	return fmt.Errorf("%s: %w", what, err)
}

func obstacleKind(err error) ObstacleKind {
	if err == nil {
		return ""
	}
	var answer apierrors.APIStatus
	text := err.Error()
	switch {
	case !errors.As(err, &answer):
		return NoServer
	case apierrors.IsUnauthorized(err):
		return NoUser
	case apierrors.IsForbidden(err) && lacksRight.MatchString(text) && !denied.MatchString(text):
		return NoRight
	case strings.Contains(text, "failed calling webhook"), ofConversion(err) && unanswered(text):
		return NoWebhook
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), apierrors.IsTooManyRequests(err), apierrors.IsServiceUnavailable(err):
		return NoServer
	}
	return ""
}

var (
	// lacksRight is how an API server says it for all its authorizers: User "jane" cannot patch resource "resourceclaims" in API group ...
	lacksRight = regexp.MustCompile(` cannot [a-z]+ resource "`)
	// denied is how it begins what a webhook, or a policy, forbids, whatever they say then: that is about one object.
	denied = regexp.MustCompile(` denied (the )?request`)
)

func ofConversion(err error) bool { return strings.Contains(err.Error(), "conversion webhook for ") }

// unanswered reports whether a conversion failed on the way: the API server says so in the words of its HTTP client. What the webhook
// answers itself is about an object.
func unanswered(conversion string) bool {
	_, cause, _ := strings.Cut(conversion, " failed: ")
	return strings.HasPrefix(cause, `Post "`) || strings.HasPrefix(cause, "the server ") || strings.Contains(cause, "an error on the server")
}
