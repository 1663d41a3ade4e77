package main

import (
	"errors"
	"testing"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
)

func TestWhomARequestIsCountedWith(t *testing.T) {
	tests := map[string]string{
		"alice":                            `user "alice"`,
		"":                                 `user ""`,
		"system:serviceaccount:gpu:driver": "the service accounts of namespace gpu",
		"system:serviceaccount:gpu:other":  "the service accounts of namespace gpu",
		"system:serviceaccount:kube-system:generic-garbage-collector": "the service accounts of namespace kube-system",
		"system:serviceaccount:gpu":                                   `user "system:serviceaccount:gpu"`,
		"system:serviceaccount::driver":                               `user "system:serviceaccount::driver"`,
		"the service accounts of namespace gpu":                       `user "the service accounts of namespace gpu"`,
		"system:kube-controller-manager":                              `user "system:kube-controller-manager"`,
	}
	for name, want := range tests {
		if got := callerOf(request.WithUser(t.Context(), &user.DefaultInfo{Name: name})); got != want {
			t.Errorf("%s is counted as %s", name, got)
		}
	}
	if got := callerOf(t.Context()); got != `user ""` {
		t.Errorf("nobody is counted as %s", got)
	}
}

func TestOneCallerHasAQuarter(t *testing.T) {
	s := newShares(8)
	for range 2 {
		if err := s.take("mallory", 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.take("mallory", 1); !errors.Is(err, overShareError{"mallory"}) {
		t.Errorf("a third: %v", err)
	}
	for _, caller := range []string{"alice", "bob", "carol"} {
		if err := s.take(caller, 2); err != nil {
			t.Errorf("%s: %v", caller, err)
		}
	}
	if err := s.take("dave", 1); !errors.Is(err, errNoRoom) {
		t.Errorf("a ninth: %v", err)
	}
	s.give("mallory", 1)
	if err := s.take("dave", 1); err != nil {
		t.Errorf("what is given back: %v", err)
	}
}
