package preflight

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/claimbridge/claimbridge/config"
)

// apiService has the fields of an APIService that the checks read. The module with its type is not imported.
type apiService struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Group   string `json:"group"`
		Version string `json:"version"`
		Service *struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"service"`
	} `json:"spec"`
}

// isBuiltIn reports whether kube-apiserver serves the version from its own code. It labels those of CRDs "true".
func (s apiService) isBuiltIn() bool {
	return s.Labels["kube-aggregator.kubernetes.io/automanaged"] == "onstart"
}

// apiServicesOf returns the APIServices of a group, one for each version.
func (c *cluster) apiServicesOf(ctx context.Context, group string) ([]apiService, error) {
	all, err := list[apiService](ctx, c, apiServices, "", "")
	all = slices.DeleteFunc(all, func(s apiService) bool { return s.Spec.Group != group })
	slices.SortFunc(all, func(a, b apiService) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

func groupIsNotBuiltIn(ctx context.Context, c *cluster) error {
	all, err := c.apiServicesOf(ctx, c.Group)
	var builtIn []string
	for _, service := range all {
		if service.isBuiltIn() {
			builtIn = append(builtIn, service.Spec.Version)
		}
	}
	if err != nil || len(builtIn) == 0 {
		return err
	}
	return fmt.Errorf("API group %s: the API server serves %s of %s itself",
		c.Group, strings.Join(builtIn, ", "), c.Group)
}

func groupIsNotAggregated(ctx context.Context, c *cluster) error {
	all, err := c.apiServicesOf(ctx, c.Group)
	if err != nil {
		return err
	}
	return each(all, func(service apiService) error {
		to := service.Spec.Service
		if to == nil {
			return nil
		}
		return fmt.Errorf("%s sends requests for %s/%s to Service %s/%s instead of the CRDs",
			apiServices.describe("", service.Name), c.Group, service.Spec.Version, to.Namespace, to.Name)
	})
}

func claimbridgeIsInstalled(ctx context.Context, c *cluster) error {
	isInstalled, err := c.isInstalled(ctx)
	if err != nil || isInstalled {
		return err
	}
	return fmt.Errorf("API group %s has no CRDs of claims, and claimbridge is not in namespace %s", c.Group, c.Namespace)
}

func certManagerIsInstalled(ctx context.Context, c *cluster) error {
	isPlanned := c.Certificates == config.CertManager
	if c.Certificates == "" {
		isInstalled, err := c.isInstalled(ctx)
		if err != nil {
			return err
		}
		isPlanned = !isInstalled // the manifests use cert-manager by default
	}
	if !isPlanned {
		return nil
	}
	all, err := c.apiServicesOf(ctx, "cert-manager.io")
	if err != nil || len(all) > 0 {
		return err
	}
	return errors.New("API group cert-manager.io is not served: install cert-manager, or use other certificates")
}

// isInstalled reports whether any object of an installation exists.
func (c *cluster) isInstalled(ctx context.Context) (bool, error) {
	claimCRD, err1 := c.definition(ctx, claims)
	templateCRD, err2 := c.definition(ctx, templates)
	validating, err3 := c.configuration(ctx, validatingConfigurations)
	mutating, err4 := c.configuration(ctx, mutatingConfigurations)
	deployment, err5 := c.deployment(ctx)
	service, err6 := c.service(ctx)
	exists := claimCRD != nil || templateCRD != nil || validating != nil || mutating != nil || deployment != nil ||
		service != nil
	return exists, errors.Join(err1, err2, err3, err4, err5, err6)
}

// isAbsent reports whether it is certain that claimbridge is not installed.
func (c *cluster) isAbsent(ctx context.Context) bool {
	isInstalled, err := c.isInstalled(ctx)
	return err == nil && !isInstalled
}
