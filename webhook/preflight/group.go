package preflight

import (
	"context"
	"errors"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// ErrNoGroup is for a run that nobody told the group, where the cluster does not tell it either.
var ErrNoGroup = errors.New("--group is required here")

// installedGroup is the one that the server of a namespace serves, by its flags.
func (c *cluster) installedGroup(ctx context.Context, namespace string) (string, error) {
	body, err := c.get(ctx, asJSON, deployments.path(namespace, name), nil)
	switch {
	case apierrors.IsNotFound(err):
		return "", fmt.Errorf("%w: there is no Deployment %s in namespace %s that says which group it serves", ErrNoGroup, name, namespace)
	case err != nil:
		return "", fmt.Errorf("%w: could not look which group is served: %s", ErrNoGroup, oneLine(message(err)))
	}
	deployment, err := decode[appsv1.Deployment](body)
	if err != nil {
		return "", err
	}
	if groups := groupsOf(deployment); len(groups) > 1 || groups[0] == "*" {
		return "", fmt.Errorf("%w: the server in namespace %s serves %s", ErrNoGroup, namespace, strings.Join(groups, ", "))
	}
	return groupsOf(deployment)[0], nil
}
