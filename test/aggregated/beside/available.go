package beside

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/discovery"
)

// available waits until each version is served through the API server, and is in what it tells of the group.
func (s *Server) available(ctx context.Context) error {
	client, err := discovery.NewDiscoveryClientForConfig(s.plane.Config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, version := range s.Versions {
		for {
			_, err := client.RESTClient().Get().AbsPath("/apis/resource.k8s.io/" + version).DoRaw(ctx)
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
