package main

import (
	"fmt"
	"time"

	"github.com/claimbridge/claimbridge/conversion"
)

// servings are sets of versions to serve beside each other, by their number. Each version that is served has a watch cache of its own.
var servings = map[int][]string{
	1: {"v1"},
	3: {"v1beta1", "v1beta2", "v1"},
	6: conversion.Versions(),
}

const (
	apiServerCPU = "apiserver-cpu-ns"
	liveHeap     = "heap-B"
	// idleAfter a change of the definition is how long the API server keeps the watch caches from before it, and some more.
	idleAfter = 5 * time.Second
)

// served measures what each further served version costs a kube-apiserver with thousands of claims stored in v1: until the
// watch caches are warm, the processor time of both sides, the memory of the caches, and writes until all caches have them.
func (b *bench) served() error {
	if b.storedServed == 0 {
		return nil // it takes minutes
	}
	api, stop, err := b.startControlPlane()
	if err != nil {
		return err
	}
	defer stop()
	kubeAPIServer, err := child("kube-apiserver")
	if err != nil {
		return err
	}
	c := &customResource{apiServerClient: api, stored: "v1", served: servings[1]}
	if err := c.install(b.root); err != nil {
		return err
	}
	if err := c.fill(b.storedServed); err != nil {
		return err
	}
	s, err := b.startConverter(api, claimbridge)
	if err != nil {
		return err
	}
	defer s.stop()
	conversion, err := b.webhookConversion(claimbridge, s)
	if err != nil {
		return err
	}
	counts := []int{1, 3, 6}
	for round := range b.clusterRounds {
		for i := range counts { // another one begins each round
			count := counts[(i+round)%len(counts)]
			c.served = servings[count]
			if err := b.serve(c, conversion, s, kubeAPIServer); err != nil {
				return fmt.Errorf("%d versions: %w", count, err)
			}
		}
	}
	return nil
}

// serve measures one round with the versions that are served.
func (b *bench) serve(c *customResource, conversion map[string]any, webhook *server, kubeAPIServer process) error {
	before, err := cpus(kubeAPIServer, webhook.process)
	if err != nil {
		return err
	}
	warm, err := c.rebuild(conversion, b.storedServed)
	if err != nil {
		return err
	}
	after, err := cpus(kubeAPIServer, webhook.process)
	if err != nil {
		return err
	}
	select {
	case <-time.After(idleAfter):
	case <-b.Done():
		return b.Err()
	}
	heap, err := c.liveHeap()
	if err != nil {
		return err
	}
	took, err := c.write(c.stored, 0, b.writes)
	if err != nil {
		return err
	}
	b.say("  %d versions served: %.1f s", len(c.served), warm.Seconds())
	b.results.add(servedName(len(c.served)), b.storedServed, values{
		nsPerOp: float64(warm.Nanoseconds()), apiServerCPU: float64((after[0] - before[0]).Nanoseconds()),
		webhookPerObject: float64((after[1] - before[1]).Nanoseconds()) / float64(b.storedServed),
		liveHeap:         float64(heap), writesPer: float64(b.writes) / took.Seconds(),
	})
	return nil
}

// cpus are the processor times of processes.
func cpus(processes ...process) (used []time.Duration, err error) {
	for _, p := range processes {
		cpu, err := p.cpu()
		if err != nil {
			return nil, err
		}
		used = append(used, cpu)
	}
	return used, nil
}

func servedName(versions int) string { return fmt.Sprintf("Served/versions=%d", versions) }
