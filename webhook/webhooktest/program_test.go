//go:build e2e

package webhooktest_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/testkit/built"
)

// TestProgram runs the sample of docs/envtest.md for suites that cannot import this module.
func TestProgram(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(built.Claimbridge(t))+":"+os.Getenv("PATH"))

	environment := &envtest.Environment{}
	// Only for Kubernetes 1.34 and later.
	environment.ControlPlane.GetAPIServer().Configure().Append("runtime-config", "resource.k8s.io/v1=false")
	cluster, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = environment.Stop() })
	startClaimbridge(t, cluster)

	c, err := client.New(cluster, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(context.Background(), newClaim("gpu.example.com")); err != nil {
		t.Fatal(err)
	}
	stored := &unstructured.Unstructured{}
	stored.SetAPIVersion("resource.k8s.io/v1")
	stored.SetKind("ResourceClaim")
	if err := c.Get(context.Background(), client.ObjectKeyFromObject(newClaim("")), stored); err != nil {
		t.Fatal(err)
	}
	requests, _, _ := unstructured.NestedSlice(stored.Object, "spec", "devices", "requests")
	if len(requests) != 1 {
		t.Errorf("the claim is not converted: %v", stored.Object)
	}
}

// startClaimbridge starts the program, and installs CRDs and webhooks that call it instead of a Service.
func startClaimbridge(t *testing.T, cluster *rest.Config) {
	ca := filepath.Join(t.TempDir(), "ca.crt")
	server := exec.Command("claimbridge", "serve", "--group=resource.k8s.io", "--ca-file="+ca,
		"--bind-address=127.0.0.1", "--secure-port=9543", "--metrics-bind-address=0", "--health-probe-bind-address=0")
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	var caBundle []byte
	eventually(t, func() (err error) {
		caBundle, err = os.ReadFile(ca)
		return err
	})

	c, err := client.New(cluster, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"crds", "webhooks"} {
		command := exec.Command("claimbridge", "manifests", "--group=resource.k8s.io", "--force", "--only="+part)
		manifests, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range strings.Split(string(manifests), "\n---\n") {
			object := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
				t.Fatal(err)
			}
			callProgram(object.Object, caBundle)
			if err := c.Create(context.Background(), object); err != nil {
				t.Fatal(err)
			}
		}
	}
	// When the API server denies an invalid claim, it uses the CRDs and the webhooks.
	eventually(t, func() error {
		err := c.Create(context.Background(), newClaim("Not/A_Class"), client.DryRunAll)
		if !apierrors.IsInvalid(err) {
			return fmt.Errorf("an invalid claim is not denied: %w", err)
		}
		return nil
	})
}

// callProgram replaces the Service in each clientConfig with the address of the program.
func callProgram(value any, caBundle []byte) {
	switch value := value.(type) {
	case []any:
		for _, child := range value {
			callProgram(child, caBundle)
		}
	case map[string]any:
		if path, found, _ := unstructured.NestedString(value, "clientConfig", "service", "path"); found {
			value["clientConfig"] = map[string]any{
				"url":      "https://localhost:9543" + path,
				"caBundle": base64.StdEncoding.EncodeToString(caBundle),
			}
		}
		for _, child := range value {
			callProgram(child, caBundle)
		}
	}
}

// newClaim in v1alpha2, which the program converts for the API server.
func newClaim(class string) *unstructured.Unstructured {
	claim := &unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{"resourceClassName": class},
	}}
	claim.SetAPIVersion("resource.k8s.io/v1alpha2")
	claim.SetKind("ResourceClaim")
	claim.SetNamespace("default")
	claim.SetName("gpu")
	return claim
}

func eventually(t *testing.T, try func() error) {
	err := try()
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = try() {
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
}
