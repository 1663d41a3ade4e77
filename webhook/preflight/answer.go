package preflight

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What an API server says when it could not ask a webhook, and when a webhook or a policy said no.
var (
	notConverted = regexp.MustCompile(`conversion webhook for (\S+), Kind=(\w+) failed: `)
	notAsked     = regexp.MustCompile(`failed calling webhook "([^"]+)"`)
	saidNo       = regexp.MustCompile(`admission webhook "([^"]+)" denied`)
	policySaidNo = regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)'`)
	overQuota    = regexp.MustCompile(`exceeded quota: ([^,]+),`)
	mayNot       = regexp.MustCompile(` is forbidden: User ".*" cannot `)
	// anObject is how the server begins what it says about objects that do not convert: it was reached, then.
	anObject = regexp.MustCompile(`failed: objects?\[`)
	// refusesGroup is what a server says, in a conversion as in an admission, that was started for
	// other groups. It was reached.
	refusesGroup = regexp.MustCompile(`API group "[^"]*" is not served here`)
)

// status that an API server answered with, if it did.
func status(err error) (s metav1.Status, ok bool) {
	answered, ok := errors.AsType[*apierrors.StatusError](err)
	if ok {
		s = answered.Status()
	}
	return s, ok
}

// message of an API server, without what client-go puts around it.
func message(err error) string {
	if s, ok := status(err); ok && s.Message != "" {
		return s.Message
	}
	return err.Error()
}

// refused distinguishes an API server that says no from one that does not answer.
func refused(err error) bool {
	s, ok := status(err)
	return ok && s.Code == http.StatusForbidden
}

// orSkip ends a remedy for what may not be looked at.
const orSkip = ", or leave out with --skip what needs it"

// unseen is a finding of its own: something could not be looked at.
func unseen(object Object, verb string, r resource, err error) Finding {
	cause, remedy := message(err), "find out why the API server does not answer, then run preflight again"
	switch {
	case mayNot.MatchString(cause):
		_, cause, _ = strings.Cut(cause, " is forbidden: ")
		remedy = fmt.Sprintf("allow %s on %s", verb, r)
		if object.Namespace != "" {
			remedy += " in namespace " + object.Namespace
		}
		remedy += orSkip
	case refused(err):
		remedy = "have whoever refuses that let it pass" + orSkip
	}
	if asked := notAsked.FindStringSubmatch(message(err)); asked != nil {
		remedy = fmt.Sprintf("the webhook %s keeps the API server from answering: start what it belongs to, or have "+
			"its owner narrow its rules, then run preflight again",
			asked[1])
	}
	return Finding{
		Severity: Unknown,
		Object:   object,
		What:     oneLine("could not look: " + cause),
		Remedy:   oneLine(remedy),
	}
}
