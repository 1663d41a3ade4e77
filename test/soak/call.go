package main

import (
	"io"
	"net/http"
	"strings"

	"github.com/claimbridge/claimbridge/test/soak/attack"
)

// send an attack, and read its answer.
func (s *server) send(client *http.Client, a attack.Attack) (code int, text string, err error) {
	response, err := client.Post("https://"+s.address+a.Path, "application/json", strings.NewReader(a.Body))
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	head, err := io.ReadAll(io.LimitReader(response.Body, 4096))
	if err == nil {
		_, err = io.Copy(io.Discard, response.Body)
	}
	return response.StatusCode, string(head), err
}
