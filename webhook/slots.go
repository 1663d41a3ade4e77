package webhook

import (
	"net"
	"sync"
)

// slots bound connections and the streams of HTTP/2 together, half of them for one address: no pod can take them all away
// from API servers.
type slots struct {
	all  chan struct{}
	from *sources
}

func newSlots(most int) *slots { return &slots{make(chan struct{}, most), newSources(most / 2)} }

// take a slot, if there is one.
func (s *slots) take(source string) bool {
	if !s.from.enter(source) {
		return false
	}
	select {
	case s.all <- struct{}{}:
		return true
	default:
		s.from.leave(source)
		return false
	}
}

// give a slot back.
func (s *slots) give(source string) {
	<-s.all
	s.from.leave(source)
}

// sources count what there is from each address.
type sources struct {
	each  int
	mutex sync.Mutex
	count map[string]int
}

func newSources(each int) *sources { return &sources{each: each, count: map[string]int{}} }

func (s *sources) enter(source string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.count[source] >= s.each {
		return false
	}
	s.count[source]++
	return true
}

func (s *sources) leave(source string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.count[source]--; s.count[source] <= 0 {
		delete(s.count, source)
	}
}

// none says that there is nothing from anywhere.
func (s *sources) none() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.count) == 0
}

func sourceOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}
