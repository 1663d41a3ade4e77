package main

import (
	"testing"
)

func TestReplaceLine(t *testing.T) {
	for text, want := range map[string]string{
		"name: a\nversion: 0.1.0\nappVersion: v1\n": "name: a\nversion: 0.2.0\nappVersion: v1\n",
		"name: a\n":                      "",
		"version: 1\nversion: 2\n":       "",
		"  version: of something else\n": "",
	} {
		got, err := replaceLine([]byte(text), "version: .*", "version: 0.2.0")
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q and error %v, want %q (an error if it is empty)", text, got, err, want)
		}
	}
}
