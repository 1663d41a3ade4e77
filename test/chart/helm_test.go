//go:build e2e

package chart

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/yaml"

	"github.com/claimbridge/claimbridge/test/controlplane"
	"github.com/claimbridge/claimbridge/test/programs"
)

func TestMain(m *testing.M) {
	ctrllog.SetLogger(logr.Discard())
	os.Exit(controlplane.Main(m)) //nolint:forbidigo // TestMain
}

const (
	webhookChart    = "../../config/charts/claimbridge"
	aggregatedChart = "../../config/charts/claimbridge-apiserver"
)

// releases of Helm that people have.
var releases = []string{programs.Helm3, programs.Helm4}

// helm is one of them, for a cluster or none.
type helm struct{ program, home, kubeconfig string }

func newHelm(t *testing.T, release string) helm {
	t.Helper()
	program, err := programs.Other(t.Context(), release)
	if err != nil {
		t.Fatal(err)
	}
	return helm{program: program, home: t.TempDir()}
}

func (h helm) try(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	if args[0] == "template" || args[0] == "lint" { // the release that Helm names by itself depends on how it was built
		args = slices.Insert(slices.Clone(args), 1, "--kube-version=1.36.0") // another one in args comes later, and counts
	}
	command := exec.CommandContext(ctx, h.program, args...)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	command.Env = append(os.Environ(), "HOME="+h.home, "XDG_CACHE_HOME="+h.home, "XDG_CONFIG_HOME="+h.home, "XDG_DATA_HOME="+h.home, "KUBECONFIG="+h.kubeconfig)
	err = command.Run()
	return out.String(), problems.String(), err
}

// run helm, which must succeed.
func (h helm) run(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := h.try(t.Context(), args...)
	if err != nil {
		t.Fatalf("helm %s: %v\n%s%s", strings.Join(args, " "), err, stdout, stderr)
	}
	return stdout
}

// objects of a stream by kind, namespace and name.
func objects(t *testing.T, stream string) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for document := range strings.SplitSeq("\n"+stream, "\n---\n") {
		object := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict([]byte(document), &object.Object); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if len(object.Object) == 0 {
			continue
		}
		title := strings.Join([]string{object.GetKind(), object.GetNamespace(), object.GetName()}, " ")
		if found[title] != nil {
			t.Errorf("%s is there twice", title)
		}
		found[title] = object.Object
	}
	return found
}

// set makes arguments of values.
func set(values map[string]string) (args []string) {
	for name, value := range values {
		if strings.HasPrefix(value, "{") || value == "true" || value == "false" {
			args = append(args, "--set="+name+"="+value)
			continue
		}
		args = append(args, "--set-string="+name+"="+value)
	}
	slices.Sort(args)
	return args
}
