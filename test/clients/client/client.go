// Package client does what a test asks with the typed Go client of a Kubernetes release. The programs beside it are this
// package with the client-go and the API types of one release each.
package client

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

// Question of the test, one line of JSON on standard input.
type Question struct {
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
	// Merge (RFC 7386) changes the typed object between a get and an update, updateStatus or extract.
	Merge json.RawMessage `json:"merge,omitempty"`
	// Reserve adds a consumer to the typed object before updateStatus.
	Reserve json.RawMessage `json:"reserve,omitempty"`
	// PatchType and Patch for patch and patchStatus.
	PatchType string          `json:"patchType,omitempty"`
	Patch     json.RawMessage `json:"patch,omitempty"`
	Manager   string          `json:"manager,omitempty"`
	// ResourceVersion that seen waits for.
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// Answer is one line of JSON on standard output.
type Answer struct {
	// Object as the typed client has it, as JSON.
	Object any `json:"object,omitempty"`
	// Error in the API server's words, and its reason.
	Error  string `json:"error,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Versions that a release speaks, by name.
type Versions map[string]func(*rest.Config) (Kinds, error)

// Kinds of a version, by name.
type Kinds map[string]interface {
	do(ctx context.Context, q Question) (any, error)
}

// Main is the program: PROGRAM KUBECONFIG [CONTENT-TYPE]. It writes JSON, unless another type is given: from 1.32 on typed
// clients of Kubernetes' own groups write protobuf unless they are told not to, which no custom resource takes.
func Main(versions Versions) {
	if err := run(versions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(versions Versions) error {
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
	spoken := map[string]Kinds{}
	for name, kinds := range versions {
		if spoken[name], err = kinds(config); err != nil {
			return err
		}
		if len(versions) == 1 {
			spoken[""] = spoken[name]
		}
	}
	return answer(spoken, os.Stdin, os.Stdout)
}

// answer questions until there are no more.
func answer(versions map[string]Kinds, questions io.Reader, answers io.Writer) error {
	lines := bufio.NewScanner(questions)
	lines.Buffer(nil, 4<<20)
	encoder := json.NewEncoder(answers)
	for lines.Scan() {
		var q Question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		var a Answer
		kind := versions[q.Version][q.Kind]
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
