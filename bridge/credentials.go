package bridge

import (
	"fmt"
	"net/http"
	"strings"
)

const (
	authorization     = "Authorization"
	webSocketProtocol = "Sec-Websocket-Protocol"
	impersonateUser   = "Impersonate-User"
	impersonatePrefix = "Impersonate-"
	// bearerProtocol is the prefix of a WebSocket subprotocol that contains a bearer token. Browsers use it, because they
	// cannot set an Authorization header (k8s.io/apiserver/pkg/authentication/request/websocket).
	bearerProtocol = "base64url.bearer.authorization.k8s.io."
)

// hasCredentials reports whether a request has its own credentials, valid or not.
func hasCredentials(header http.Header) bool {
	if _, ok := header[authorization]; ok {
		return true
	}
	for _, value := range header[webSocketProtocol] {
		if strings.Contains(strings.ToLower(value), bearerProtocol) {
			return true
		}
	}
	return false
}

// checkIdentity rejects requests whose identity headers are ambiguous. An API server reads only the first value. If
// Impersonate-User is empty, it ignores it, so the request would have the rights of the configuration. If Authorization
// is empty, the request would be anonymous.
func checkIdentity(header http.Header) error {
	for _, name := range []string{authorization, impersonateUser} {
		values, isPresent := header[name]
		if isPresent && (len(values) != 1 || strings.TrimSpace(values[0]) == "") {
			return fmt.Errorf("header %s: must have one value that is not empty, or be absent", name)
		}
	}
	for name := range header {
		// An API server trusts these headers only with a certificate of the front-proxy CA. Otherwise it ignores them, and
		// the request would not have the identity that it names.
		if strings.HasPrefix(name, "X-Remote-User") || strings.HasPrefix(name, "X-Remote-Group") ||
			strings.HasPrefix(name, "X-Remote-Uid") || strings.HasPrefix(name, "X-Remote-Extra-") {
			return fmt.Errorf("header %s: only an authenticating proxy may send it: send an Authorization header", name)
		}
	}
	return nil
}

// hasImpersonation reports whether a request impersonates a user, or adds to the identity of one.
func hasImpersonation(header http.Header) bool {
	for name := range header {
		if strings.HasPrefix(name, impersonatePrefix) {
			return true
		}
	}
	return false
}
