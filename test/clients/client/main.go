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

// operation is an operation of the test, one line of JSON on standard input.
type operation struct {
	// Version of the API, such as v1beta1. It is not needed if the program supports only one.
	Version string `json:"version,omitempty"`
	// Kind is ResourceClaim or ResourceClaimTemplate.
	Kind string `json:"kind"`
	// Do is the name of the operation, see kind.do.
	Do        string `json:"do"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Object in JSON for create, apply and applyStatus. It is decoded into the typed object.
	Object json.RawMessage `json:"object,omitempty"`
	// Merge has fields that the typed object gets between a get and an update, updateStatus or extract; null removes a
	// pointer.
	Merge json.RawMessage `json:"merge,omitempty"`
	// Reserve adds a consumer to the typed object before updateStatus, instead of Merge.
	Reserve json.RawMessage `json:"reserve,omitempty"`
	// PatchType and Patch for patch and patchStatus.
	PatchType string          `json:"patchType,omitempty"`
	Patch     json.RawMessage `json:"patch,omitempty"`
	Manager   string          `json:"manager,omitempty"`
	// ResourceVersion that getCached waits for.
	ResourceVersion string `json:"resourceVersion,omitempty"`
}

// result is one line of JSON on standard output.
type result struct {
	// Object as the typed client has it, as JSON.
	Object any `json:"object,omitempty"`
	// Error is the message of the API server, and Reason its reason.
	Error  string `json:"error,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// versions that the release supports, by name.
var versions = map[string]func(*rest.Config) (kinds, error){}

func register(version string, connect func(*rest.Config) (kinds, error)) bool {
	versions[version] = connect
	return true
}

// kinds of a version, by name.
type kinds map[string]interface {
	do(ctx context.Context, op operation) (any, error)
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
	kindsByVersion := map[string]kinds{}
	for name, connect := range versions {
		if kindsByVersion[name], err = connect(config); err != nil {
			return err
		}
		if len(versions) == 1 {
			kindsByVersion[""] = kindsByVersion[name]
		}
	}
	return serve(kindsByVersion, os.Stdin, os.Stdout)
}

// serve runs operations until the end of the input.
func serve(kindsByVersion map[string]kinds, input io.Reader, output io.Writer) error {
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, 4<<20)
	encoder := json.NewEncoder(output)
	for lines.Scan() {
		var op operation
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			return err
		}
		var res result
		kind := kindsByVersion[op.Version][op.Kind]
		if kind == nil {
			return fmt.Errorf("this client does not support kind %s of version %q", op.Kind, op.Version)
		}
		object, err := kind.do(context.Background(), op)
		if err != nil {
			res.Error, res.Reason = err.Error(), string(apierrors.ReasonForError(err))
		} else {
			res.Object = object
		}
		if err := encoder.Encode(res); err != nil {
			return err
		}
	}
	return lines.Err()
}
