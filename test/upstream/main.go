// Command upstream is a release of Kubernetes as a validator of ResourceClaims and ResourceClaimTemplates: what its API
// server runs between reading a request and storing the object, without the server. The same source is built for
// several releases, each with a separate module file, such as v1.26.mod; go.mod is that of v1.31. Build tags select how
// the strategies of a release are created.
//
// It reads questions from stdin and writes an answer to each to stdout, both as one JSON value a line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func main() {
	gates := flag.String("feature-gates", "",
		"gates of the release that are not at their default, as its API server takes them: A=true,B=false")
	flag.Parse()
	// Releases log where their two ways of validation differ. The answer has what counts.
	klog.SetLogger(logr.Discard())
	j, err := newValidator(*gates)
	if err == nil {
		err = serve(j, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(j validator, questions io.Reader, answers io.Writer) error {
	out := bufio.NewWriter(answers)
	encode := json.NewEncoder(out)
	for decode := json.NewDecoder(bufio.NewReader(questions)); ; {
		var q question
		switch err := decode.Decode(&q); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading a question: %w", err)
		}
		a, err := j.answer(q)
		if err != nil {
			return err
		}
		if err := errors.Join(encode.Encode(a), out.Flush()); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
	}
}
