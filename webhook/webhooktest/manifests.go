package webhooktest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Until package config is there.

func crds(group string) ([]byte, error) {
	_, here, _, _ := runtime.Caller(0)
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(here), "../../config/crd/bases/*.yaml"))
	var out strings.Builder
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(string(data), ".resource.k8s.io\n", "."+group+"\n")
		text = strings.ReplaceAll(text, "group: resource.k8s.io\n", "group: "+group+"\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: claimbridge, namespace: x, path: /convert}}}}\n")
		out.WriteString(text)
	}
	return []byte(out.String()), nil
}

func webhooks(group string) ([]byte, error) {
	return fmt.Appendf(nil, `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: claimbridge}
webhooks:
- name: validate.claimbridge.dev
  admissionReviewVersions: [v1]
  sideEffects: None
  matchPolicy: Equivalent
  failurePolicy: Fail
  clientConfig: {service: {name: claimbridge, namespace: x, path: /validate}}
  rules:
  - apiGroups: [%q]
    apiVersions: [v1alpha1, v1alpha2, v1alpha3]
    operations: [CREATE, UPDATE]
    resources: [resourceclaims, resourceclaims/status, resourceclaimtemplates]
`, group), nil
}
