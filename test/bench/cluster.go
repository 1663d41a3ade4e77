package main

import (
	"fmt"
	"net/url"
	"strconv"
	"time"
)

// converters are the ways to convert, in the order of the table.
var converters = []string{none, null, claimbridge, wholeMetadata, stock}

const (
	// none is the strategy None: the API server replaces apiVersion itself.
	none = "none"
	// wholeMetadata is claimbridge with --keep-metadata.
	wholeMetadata = "claimbridge-keep-metadata"

	perObject        = "ns/object"
	webhookPerObject = "webhook-cpu-ns/object"
	writesPer        = "writes/s"
)

// cluster measures through a real kube-apiserver with thousands of claims: the time to rebuild the watch caches of older
// versions, and writes, until all watch caches have seen them. The definition serves the versions that the stock webhook has
// types for, and stores the newest of them; served.go measures those that claimbridge ships.
func (b *bench) cluster() error {
	api, stop, err := b.startControlPlane()
	if err != nil {
		return err
	}
	defer stop()
	c := &customResource{apiServerClient: api, stored: write.to, served: []string{"v1alpha1", "v1alpha2", "v1alpha3"}}
	if err := c.install(b.root); err != nil {
		return err
	}
	if err := c.fill(b.stored); err != nil {
		return err
	}
	running := map[string]*server{}
	defer func() { stopAll(running) }()
	for _, name := range converters[1:] {
		if running[name], err = b.startConverter(api, name); err != nil {
			return err
		}
	}
	for round := range b.clusterRounds {
		for i := range converters {
			name := converters[(i+round)%len(converters)]
			if err := b.convertThrough(c, name, running[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// startConverter starts a webhook and makes a service for it, as API servers call services with HTTP/1.1.
func (b *bench) startConverter(api *apiServerClient, name string) (s *server, err error) {
	switch name {
	case null:
		s, err = b.start(null, nil, "--copy")
	case wholeMetadata:
		s, err = b.start(claimbridge, nil, "--keep-metadata")
	default:
		s, err = b.start(name, nil)
	}
	if err != nil {
		return nil, err
	}
	service := map[string]any{
		"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"type": "ExternalName", "externalName": "127.0.0.1"},
	}
	return s, api.request("POST", "/api/v1/namespaces/default/services", asJSON, asJSON, service, nil)
}

// convertThrough measures one round of one way to convert; the server is nil for none.
func (b *bench) convertThrough(c *customResource, name string, s *server) error {
	conversion, err := b.webhookConversion(name, s)
	if err != nil {
		return err
	}
	measure := func(what string, n int, unit string, run func() (time.Duration, error)) error {
		before, err := s.cpuIfAny()
		if err != nil {
			return err
		}
		took, err := run()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		after, err := s.cpuIfAny()
		if err != nil {
			return err
		}
		v := values{nsPerOp: float64(took.Nanoseconds()), webhookPerObject: float64((after - before).Nanoseconds()) / float64(n)}
		switch unit {
		case perObject:
			v[unit] = float64(took.Nanoseconds()) / float64(n)
		case writesPer:
			v[unit] = float64(n) / took.Seconds()
		}
		b.results.add(clusterName(what, name), n, v)
		b.say("  %s, %s: %.1f s", what, name, took.Seconds())
		return nil
	}
	if err := measure("rebuild", b.stored, perObject, func() (time.Duration, error) { return c.rebuild(conversion, b.stored) }); err != nil {
		return err
	}
	if err := measure("writes", b.writes, writesPer, func() (time.Duration, error) { return c.write(c.stored, 0, b.writes) }); err != nil {
		return err
	}
	if name == none || name == null {
		return nil // neither gives an object that the older version accepts
	}
	first := 0 // each has claims of its own, since the stock webhook loses what is left over
	for i, other := range converters {
		if other == name {
			first = i * (b.stored / len(converters))
		}
	}
	n := min(b.writes, b.stored/len(converters))
	return measure("old-writes", n, writesPer, func() (time.Duration, error) { return c.write(write.from, first, n) })
}

// webhookConversion is what a definition says about conversion by a server that startConverter started, or by none.
func (b *bench) webhookConversion(name string, s *server) (map[string]any, error) {
	if s == nil {
		return map[string]any{"strategy": "None", "webhook": nil}, nil
	}
	address, err := url.Parse(s.url)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(address.Port())
	if err != nil {
		return nil, err
	}
	return map[string]any{"strategy": "Webhook", "webhook": map[string]any{
		"conversionReviewVersions": []string{"v1"},
		"clientConfig": map[string]any{"caBundle": b.tls.pem, "service": map[string]any{
			"namespace": "default", "name": name, "port": port, "path": "/convert"}},
	}}, nil
}

func (s *server) cpuIfAny() (time.Duration, error) {
	if s == nil {
		return 0, nil
	}
	return s.cpu()
}

func clusterName(what, converter string) string {
	return fmt.Sprintf("Cluster/what=%s/conversion=%s", what, converter)
}
