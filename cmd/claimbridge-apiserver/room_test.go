package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
)

func TestRoom(t *testing.T) {
	const limit = 512 << 20 // that of the manifests
	tests := map[string]struct {
		verb string
		body int64
		want int // at once
	}{
		"lists leave a quarter to others": {"list", 0, 48},
		"gets may take all of it":         {"get", 0, 64},
		"writes of claims are as gets":    {"update", 2 << 10, 63},
		"writes of the biggest bodies":    {"create", 3 << 20, 4},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRoom(limit)
			var all []func()
			for {
				free, ok := r.take(test.verb, test.body)
				if !ok {
					break
				}
				all = append(all, free)
			}
			if len(all) != test.want {
				t.Errorf("want room for %d, got %d", test.want, len(all))
			}
			if test.verb == "list" {
				if free, ok := r.take("get", 0); !ok {
					t.Error("no room for a get beside lists")
				} else {
					free()
				}
			}
			for _, free := range all {
				free()
			}
			if !r.requests.TryAcquire(r.size) || !r.lists.TryAcquire(r.size/4*3) {
				t.Error("not all of it was given back")
			}
		})
	}
}

// Whoever is told to come again, is told when: lists last longer than anything else.
func TestWhenToComeAgain(t *testing.T) {
	for verb, after := range map[string]int{"list": 5, "get": 1} {
		r := newRoom(512 << 20)
		for {
			if _, err := r.admit(verb, httptest.NewRequest(http.MethodGet, "/", http.NoBody)); err != nil {
				if seconds, ok := apierrors.SuggestsClientDelay(err); !ok || seconds != after || !apierrors.IsTooManyRequests(err) {
					t.Errorf("%s: want to come again after %d s, got %v, %d s", verb, after, err, seconds)
				}
				break
			}
		}
	}
}

func TestTheSmallestLimitHasRoomForOneOfAnyKind(t *testing.T) {
	for _, verb := range []string{"list", "get", "create"} {
		if _, ok := newRoom(1).take(verb, 3<<20); !ok {
			t.Errorf("no room for %s", verb)
		}
	}
	if _, err := newRoom(1).Watch(t.Context(), false); err != nil {
		t.Error(err)
	}
}

// One caller has a quarter of the watches, and is told so; others watch meanwhile.
func TestRoomForWatches(t *testing.T) {
	r := newRoom(512 << 20)
	open := func(caller string, connections bool) (all []func(), text string) {
		ctx := request.WithUser(t.Context(), &user.DefaultInfo{Name: caller})
		for {
			free, err := r.Watch(ctx, connections)
			if err != nil {
				if !apierrors.IsTooManyRequests(err) {
					t.Errorf("%s: %v", caller, err)
				}
				return all, err.Error()
			}
			all = append(all, free)
		}
	}
	var all []func()
	for _, test := range []struct {
		caller string
		want   int
		says   string
	}{
		{"mallory", 256, `for more watches of user "mallory", who may have 256 at a replica; end some, or try again`},
		{"system:serviceaccount:gpu:a", 256, "for more watches of the service accounts of namespace gpu, who may have 256 at a replica; end some, or try again"},
		{"system:serviceaccount:gpu:b", 0, "of the service accounts of namespace gpu"},
		{"bob", 128, `of user "bob"`}, // by WebSocket
		{"alice", 256, `of user "alice"`},
		{"carol", 0, "has no memory for more watches; try again"},
	} {
		got, text := open(test.caller, test.caller == "bob")
		if len(got) != test.want || !strings.Contains(text, test.says) {
			t.Errorf("room for %d watches of %s, and then: %s", len(got), test.caller, text)
		}
		all = append(all, got...)
	}
	for _, free := range all {
		free()
	}
	if r.watches.all != 0 || len(r.watches.of) != 0 {
		t.Error("not all of it was given back")
	}
}

func TestBigObjectsWaitForTheirTurn(t *testing.T) {
	r := newRoom(512 << 20)
	one, ok := r.Take(t.Context(), false)
	if !ok {
		t.Fatal("no room for one")
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := r.Take(over, true); ok {
		t.Error("room for all of it beside one")
	}
	if _, ok := r.take("get", 0); !ok {
		t.Error("no room for a get beside a big object")
	}
	one()
	if _, ok := r.Take(t.Context(), true); !ok {
		t.Error("not all of it was given back")
	}
}
