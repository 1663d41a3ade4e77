package beside

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// available waits until each version is served through the API server, and is in what it tells of the group: it asks each version for its
// resources by itself, some time after it began to pass calls on, and clients look there for what they may ask.
func (s *Server) available(ctx context.Context) error {
	client, err := discovery.NewDiscoveryClientForConfig(s.plane.Config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, version := range s.Versions {
		for {
			err := served(ctx, client, version)
			if err == nil {
				break
			}
			select {
			case ended := <-s.ended:
				s.process = nil
				return fmt.Errorf("the aggregated API server has ended: %w", errors.Join(ended, err))
			case <-ctx.Done():
				return fmt.Errorf("%s is not served: %w", version, err)
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	return nil
}

func served(ctx context.Context, client *discovery.DiscoveryClient, version string) error {
	if _, err := client.RESTClient().Get().AbsPath("/apis/resource.k8s.io/" + version).DoRaw(ctx); err != nil {
		return err
	}
	_, told, _, err := client.GroupsAndMaybeResources()
	if err != nil {
		return err
	}
	if told[schema.GroupVersion{Group: "resource.k8s.io", Version: version}] == nil {
		return errors.New("the group does not tell of it")
	}
	return nil
}
