// Command client KUBECONFIG [CONTENT-TYPE] runs the operations of a test with the typed Go client of a Kubernetes
// release. The module file selects the release, and build tags the versions that it supports. It sends JSON by default,
// because custom resources do not accept protobuf, which is the default of typed clients for groups of Kubernetes since
// 1.32.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// question of the test, one line of JSON on standard input.
type question struct {
	// Version of the API, such as v1beta1. A program that speaks one alone needs none.
	Version string `json:"version,omitempty"`
	// Kind is ResourceClaim or ResourceClaimTemplate.
	Kind string `json:"kind"`
	// Do is a verb of Kind.do.
	Do        string `json:"do"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Object in JSON for create, apply and applyStatus. It goes through the typed object.
	Object json.RawMessage `json:"object,omitempty"`
	// Merge has fields that the typed object gets between a get and an update, updateStatus or extract; null removes a
	// pointer.
	Merge json.RawMessage `json:"merge,omitempty"`
	// Reserve adds a consumer to the typed object before updateStatus, in the place of Merge.
	Reserve json.RawMessage `json:"reserve,omitempty"`
	// PatchType and Patch for patch and patchStatus.
	PatchType string          `json:"patchType,omitempty"`
	Patch     json.RawMessage `json:"patch,omitempty"`
	Manager   string          `json:"manager,omitempty"`
	// ResourceVersion that seen waits for.
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// answer is one line of JSON on standard output.
type answer struct {
	// Object as the typed client has it, as JSON.
	Object any `json:"object,omitempty"`
	// Error in the API server's words, and its reason.
	Error  string `json:"error,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// versions that a release speaks, by name.
var versions = map[string]func(*rest.Config) (kinds, error){}

func speak(version string, connect func(*rest.Config) (kinds, error)) bool {
	versions[version] = connect
	return true
}

// kinds of a version, by name.
type kinds map[string]interface {
	do(ctx context.Context, q question) (any, error)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		return errors.New("usage: PROGRAM KUBECONFIG [CONTENT-TYPE]")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		return err
	}
	config.QPS = -1
	config.ContentType = "application/json"
	if len(os.Args) > 2 {
		config.ContentType = os.Args[2]
	}
	spoken := map[string]kinds{}
	for name, connect := range versions {
		if spoken[name], err = connect(config); err != nil {
			return err
		}
		if len(versions) == 1 {
			spoken[""] = spoken[name]
		}
	}
	return serve(spoken, os.Stdin, os.Stdout)
}

// serve questions until there are no more.
func serve(spoken map[string]kinds, questions io.Reader, answers io.Writer) error {
	lines := bufio.NewScanner(questions)
	lines.Buffer(nil, 4<<20)
	encoder := json.NewEncoder(answers)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		var a answer
		kind := spoken[q.Version][q.Kind]
		if kind == nil {
			return fmt.Errorf("this client does not speak of a %s of version %q", q.Kind, q.Version)
		}
		object, err := kind.do(context.Background(), q)
		if err != nil {
			a.Error, a.Reason = err.Error(), string(apierrors.ReasonForError(err))
		} else {
			a.Object = object
		}
		if err := encoder.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}
