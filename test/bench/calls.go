package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/test/bench/claims"
)

// Units of what is measured.
const (
	nsPerOp    = "ns/op"     // from sending to the last byte of the answer
	cpuPerOp   = "cpu-ns/op" // of the server
	p50PerOp   = "p50-ns/op"
	p99PerOp   = "p99-ns/op"
	answerSize = "answer-B/op"
	perSecond  = "calls/s"
)

// calls measures reviews of one claim each, as an API server sends them: half of them writes (v1alpha2 to v1alpha3), half
// reads (v1alpha3 to v1alpha2), all with leftovers. These are versions that the stock webhook has types for.
func (b *bench) calls() error {
	running := map[string]*server{}
	defer func() { stopAll(running) }()
	for _, name := range []string{claimbridge, stock} {
		s, err := b.start(name, nil)
		if err != nil {
			return err
		}
		running[name] = s
	}
	nulls := map[int]*server{}
	for _, c := range b.cells {
		bodies, err := oneClaimReviews(c.kib)
		if err != nil {
			return err
		}
		if nulls[c.kib] == nil {
			if _, err := b.answers(running[stock], bodies); err != nil {
				return err
			}
			if nulls[c.kib], err = b.startNull(running[claimbridge], bodies); err != nil {
				return err
			}
			defer nulls[c.kib].stop()
		}
		rounds := b.rounds
		if c.kib > 2 {
			rounds = min(rounds, b.bigRounds)
		}
		for round := range rounds {
			for i := range servers { // another one begins each round
				name := servers[(i+round)%len(servers)]
				s := running[name]
				if name == null {
					s = nulls[c.kib]
				}
				latencies, err := b.call(callName(name, c), s, c, bodies, apiServer)
				if err != nil {
					return err
				}
				if c == (cell{http1, 1, 2}) {
					b.latencies[name] = append(b.latencies[name], latencies...)
					b.results.Latencies[name] = distribution(b.latencies[name])
				}
			}
		}
	}
	if err := b.currentCalls(running[claimbridge]); err != nil {
		return err
	}
	return b.answerSizes(running[claimbridge])
}

// call measures one round of a cell under a name.
func (b *bench) call(name string, s *server, c cell, bodies [][]byte, userAgent string) (latencies []time.Duration, err error) {
	client := b.caller(s, c.proto, c.callers, userAgent)
	defer client.close()
	if _, err := client.run(b, s.process, c.callers, bodies, b.window/5); err != nil { // connections and caches
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	l, err := client.run(b, s.process, c.callers, bodies, b.window)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	b.results.add(name, l.calls, values{
		nsPerOp: float64(l.wall.Nanoseconds()) * float64(c.callers) / float64(l.calls), cpuPerOp: float64(l.cpu.Nanoseconds()) / float64(l.calls),
		p50PerOp: float64(quantile(l.latencies, 0.5)), p99PerOp: float64(quantile(l.latencies, 0.99)),
		answerSize: float64(l.answers) / float64(l.calls), perSecond: float64(l.calls) / l.wall.Seconds(),
	})
	return l.latencies, nil
}

func callName(server string, c cell) string {
	return fmt.Sprintf("Call/server=%s/proto=%s/callers=%d/claim=%dKiB", server, c.proto, c.callers, c.kib)
}

// answerSizes compares what an API server gets with what others get, who get the whole metadata.
func (b *bench) answerSizes(s *server) error {
	for _, kib := range []int{2, 16} {
		bodies, err := oneClaimReviews(kib)
		if err != nil {
			return err
		}
		for metadata, userAgent := range map[string]string{"trimmed": apiServer, "whole": "bench"} {
			client := b.caller(s, http1, 1, userAgent)
			l, err := client.run(b, s.process, 1, bodies, b.window)
			client.close()
			if err != nil {
				return err
			}
			b.results.add(fmt.Sprintf("Answer/metadata=%s/claim=%dKiB", metadata, kib), l.calls, values{
				answerSize: float64(l.answers) / float64(l.calls), cpuPerOp: float64(l.cpu.Nanoseconds()) / float64(l.calls),
			})
		}
	}
	return nil
}

// oneClaimReviews are 16 reviews that differ, of claims of about a size.
func oneClaimReviews(kib int) (bodies [][]byte, err error) {
	for i := range 8 {
		classic := claims.Sized(kib<<10, func(growth int) runtime.Object { return claims.Classic(i, growth) })
		structured := claims.Sized(kib<<10, func(growth int) runtime.Object { return claims.Structured(i, growth) })
		if kib > 64 { // such a leftover would not fit into an annotation; this claim came from v1alpha2 before
			if structured, _, err = conversion.JSON(classic, "v1alpha3", conversion.Options{}); err != nil {
				return nil, err
			}
		}
		bodies = append(bodies, claims.Review(write.to, classic), claims.Review(read.to, structured))
	}
	return bodies, nil
}

// startNull starts a null webhook that answers as another server did.
func (b *bench) startNull(other *server, bodies [][]byte) (*server, error) {
	folder, err := b.writeAnswers(other, bodies)
	if err != nil {
		return nil, err
	}
	return b.start(null, nil, "--answers", folder)
}

// writeAnswers of a server into a folder.
func (b *bench) writeAnswers(s *server, bodies [][]byte) (folder string, err error) {
	if folder, err = os.MkdirTemp(b.temp, "answers-"); err != nil {
		return "", err
	}
	answers, err := b.answers(s, bodies)
	if err != nil {
		return "", err
	}
	for i, answer := range answers {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.json", i)), answer, 0o644); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// answers of a server to reviews, after a look at whether they are conversions.
func (b *bench) answers(s *server, bodies [][]byte) (answers [][]byte, err error) {
	client := b.caller(s, http1, 1, apiServer)
	defer client.close()
	for _, body := range bodies {
		var answer bytes.Buffer
		if _, err := client.post(b, body, &answer); err != nil {
			return nil, err
		}
		if err := checkAnswer(body, answer.Bytes()); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		answers = append(answers, answer.Bytes())
	}
	return answers, nil
}

// checkAnswer makes sure that what is measured is a conversion.
func checkAnswer(body, answer []byte) error {
	var request struct {
		Request struct{ Objects []json.RawMessage }
	}
	var response struct {
		Response struct {
			ConvertedObjects []json.RawMessage
			Result           struct{ Status, Message string }
		}
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	if err := json.Unmarshal(answer, &response); err != nil {
		return err
	}
	if r := response.Response; r.Result.Status != "Success" || len(r.ConvertedObjects) != len(request.Request.Objects) {
		return fmt.Errorf("%d of %d objects, %s %.300s", len(r.ConvertedObjects), len(request.Request.Objects), r.Result.Status, r.Result.Message)
	}
	return nil
}
