package main

import (
	"context"
	"testing"
)

func TestRoom(t *testing.T) {
	const limit = 512 << 20 // that of the manifests
	tests := map[string]struct {
		verb string
		body int64
		want int // at once
	}{
		"lists leave a quarter to others":                {"list", 0, 48},
		"gets may take all of it":                        {"get", 0, 64},
		"a body of a get is not read":                    {"get", -1, 64},
		"writes of claims are as gets":                   {"update", 2 << 10, 63},
		"writes of the biggest bodies":                   {"create", 3 << 20, 4},
		"a body of unknown length may be of the longest": {"patch", -1, 4},
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

func TestTheSmallestLimitHasRoomForOneOfAnyKind(t *testing.T) {
	for _, verb := range []string{"list", "get", "create"} {
		if _, ok := newRoom(1).take(verb, 3<<20); !ok {
			t.Errorf("no room for %s", verb)
		}
	}
}

func TestRoomForWatches(t *testing.T) {
	r := newRoom(512 << 20)
	var all []func()
	for free, ok := r.Watch(); ok; free, ok = r.Watch() {
		all = append(all, free)
	}
	if len(all) != 1024 {
		t.Errorf("room for %d watches", len(all))
	}
	for _, free := range all {
		free()
	}
	if _, ok := r.Watch(); !ok {
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
