//go:build e2e

package aggregated

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Who reaches the server's own port, and not by way of the API server, is who they prove to be, and not who they say.
func TestForgedHeadersAreNobody(t *testing.T) {
	t.Parallel()
	s := ours.session(t, "v1beta1")
	if a, err := s.do(t.Context(), create("claims", shape("v1beta1").claim("a", "")).request); err != nil || a.status != http.StatusCreated {
		t.Fatalf("%v: %v", err, a)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ours.server.CA)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
	masters := map[string]string{"X-Remote-User": "root", "X-Remote-Group": "system:masters"}
	tests := map[string]struct {
		header map[string]string
		want   int
	}{
		"nobody":                               {nil, http.StatusForbidden},
		"X-Remote headers":                     {masters, http.StatusForbidden},
		"X-Remote headers beside a token":      {with(masters, "Authorization", "Bearer nobody"), http.StatusForbidden},
		"Impersonate headers":                  {map[string]string{"Impersonate-User": "root", "Impersonate-Group": "system:masters"}, http.StatusForbidden},
		"Impersonate headers beside a token":   {map[string]string{"Authorization": "Bearer nobody", "Impersonate-User": "writer", "Impersonate-Group": "writers"}, http.StatusForbidden},
		"Impersonate headers beside a right":   {map[string]string{"Authorization": "Bearer reader", "Impersonate-User": "root", "Impersonate-Group": "system:masters"}, http.StatusForbidden},
		"a token that is none":                 {map[string]string{"Authorization": "Bearer nonsense"}, http.StatusUnauthorized},
		"the token of a reader":                {map[string]string{"Authorization": "Bearer reader"}, http.StatusOK},
		"the token of somebody without rights": {map[string]string{"Authorization": "Bearer nobody"}, http.StatusForbidden},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+ours.server.Address+s.path("claims/a"), nil)
			if err != nil {
				t.Fatal(err)
			}
			for header, value := range test.header {
				r.Header.Set(header, value)
			}
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil || response.StatusCode != test.want {
				t.Errorf("%v, %d instead of %d: %s", err, response.StatusCode, test.want, body)
			}
			if test.want != http.StatusOK && strings.Contains(string(body), "gpu.example.com") {
				t.Errorf("it tells of the claim: %s", body)
			}
		})
	}
}

// What a client says beside who it is does not reach the cluster's v1 as who it is.
func TestHeadersOfClientsStayOutside(t *testing.T) {
	t.Parallel()
	s := ours.session(t, "v1beta1")
	for name, value := range map[string]string{
		"X-Remote-User": "root", "X-Remote-Group": "system:masters", "X-Remote-Extra-Scopes": "all",
		"Impersonate-Uid": "1", "Impersonate-Group": "system:masters", "Impersonate-Extra-A": "b", "Impersonate-User": "root",
	} {
		r := get("claims").by("nobody").with(name, value).request
		if a, err := s.do(t.Context(), r); err != nil || a.status != http.StatusForbidden && a.status != http.StatusBadRequest {
			t.Errorf("%s: %v: %d %s", name, err, a.status, a.body)
		}
	}
}

func with(header map[string]string, name, value string) map[string]string {
	all := map[string]string{name: value}
	for n, v := range header {
		all[n] = v
	}
	return all
}
