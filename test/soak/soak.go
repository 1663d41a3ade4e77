package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/claimbridge/claimbridge/test/soak/attack"
)

// adversaries at once: six that send what costs most, and four that hold connections.
const adversaries = 6

// soak sends both kinds of calls for a while.
func (s *server) soak(ctx context.Context, length time.Duration, rate int, attacks []attack.Attack) (*report, error) {
	r := &report{statuses: map[string]int{}}
	ctx, stop := context.WithTimeout(ctx, length)
	defer stop()
	var background, honest sync.WaitGroup
	for n := range adversaries {
		background.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 1))
			client := s.client()
			defer client.CloseIdleConnections()
			for ctx.Err() == nil && !s.gone() {
				code, _, err := s.send(client, attacks[random.IntN(len(attacks))])
				r.attacked(code, err)
			}
		})
	}
	for _, say := range []string{
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 67108864\r\n\r\n",
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16384\r\n\r\n" + strings.Repeat(" ", 16000),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194304\r\n\r\n" + strings.Repeat(" ", 300<<10),
		"POST /convert HTTP/1.1\r\nHost: localhost\r\nX-Half: " + strings.Repeat("x", 10<<10),
	} {
		background.Go(func() { s.hold(ctx, say) })
	}
	client := s.client()
	defer client.CloseIdleConnections()
	every := time.NewTicker(time.Second / time.Duration(rate))
	defer every.Stop()
	for n := 0; ctx.Err() == nil && !s.gone(); n++ {
		select {
		case <-every.C:
			honest.Go(func() { s.honest(client, n, r) })
		case <-ctx.Done():
		case <-s.ended:
		}
	}
	background.Wait()
	ended := time.Now()
	honest.Wait()
	if s.gone() {
		return nil, fmt.Errorf("the server has ended:\n%s", s.said())
	}
	if err := s.again(client, ended); err != nil {
		return nil, err
	}
	r.recovered = time.Since(ended)
	var err error
	r.peak, err = s.peak()
	return r, err
}

// recovery is how long after an attack's end honest calls are served again.
const recovery = 10 * time.Second

// again waits until two honest calls in a row, one of each kind, are served.
func (s *server) again(client *http.Client, ended time.Time) error {
	for n := 0; ; n += 2 {
		two := &report{}
		s.honest(client, n, two)
		s.honest(client, n+1, two)
		if len(two.latencies) == 2 && time.Since(ended) <= recovery {
			return nil
		}
		if time.Since(ended) > recovery {
			return fmt.Errorf("%s after the attack's end honest calls are not served: %s", recovery, strings.Join(two.lost, "; "))
		}
	}
}

// hold connections that say something and then nothing, anew when they are closed.
func (s *server) hold(ctx context.Context, say string) {
	var open []*tls.Conn
	defer func() {
		for _, c := range open {
			_ = c.Close()
		}
	}()
	for ctx.Err() == nil && !s.gone() {
		if len(open) == 100 {
			_ = open[0].Close()
			open = open[1:]
		}
		if connection, err := tls.Dial("tcp", s.address, s.trust); err == nil {
			_, _ = io.WriteString(connection, say)
			open = append(open, connection)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// honest is a call as an API server makes it: after 429 and 503 with Retry-After again, up to ten times within its 30 s.
func (s *server) honest(client *http.Client, n int, r *report) {
	object := attack.Claim("v1alpha2", fmt.Sprintf(`,"annotations":{"number":"%d","text":%q}`, n, strings.Repeat("x", 1500)), `,"spec":{"resourceClassName":"c"}`)
	calls := []attack.Attack{{Path: "/convert", Body: attack.Review("v1alpha3", object)}, {Path: "/validate", Body: attack.Admission("CREATE", "v1alpha2", object, "null")}}
	call, begun := calls[n%2], time.Now()
	for again := 0; ; again++ {
		code, retry, text, err := s.post(client, call)
		switch {
		case err == nil && code == http.StatusOK && (strings.Contains(text, `"allowed":true`) || strings.Contains(text, `"result":{"status":"Success"}`)):
			r.served(time.Since(begun), again)
			return
		case err == nil && retry > 0 && again < 10 && time.Since(begun) < 30*time.Second:
			time.Sleep(time.Duration(retry) * time.Second)
		default:
			r.lose(fmt.Sprintf("%d %v %.200s", code, err, text))
			return
		}
	}
}

func (s *server) post(client *http.Client, a attack.Attack) (code, retry int, text string, err error) {
	response, err := client.Post("https://"+s.address+a.Path, "application/json", strings.NewReader(a.Body))
	if err != nil {
		return 0, 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	retry, _ = strconv.Atoi(response.Header.Get("Retry-After"))
	all, err := io.ReadAll(response.Body)
	return response.StatusCode, retry, string(all), err
}
