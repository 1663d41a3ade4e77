package function

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/release"
	"github.com/claimbridge/claimbridge/internal/names"
)

// Types of a functionConfig.
const (
	ConfigAPIVersion = names.Domain + "/v1alpha1"
	ConfigKind       = "ClaimConversion"
)

// config says what to convert to: a ClaimConversion in its spec, or a ConfigMap, which kpt makes of its command line, in its data.
type config struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Spec       settings `json:"spec"`
	Data       settings `json:"data"`
}

type settings struct {
	To string `json:"to"`
}

// targetOf a functionConfig, or else of the command line.
func targetOf(functionConfig json.RawMessage, to string) (release.Target, error) {
	var c config
	if len(functionConfig) > 0 {
		err := json.Unmarshal(functionConfig, &c)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return release.Target{}, fmt.Errorf("functionConfig.%s: is a %s, and must be a text: write it in quotes", wrong.Field, wrong.Value)
		}
		if err != nil {
			return release.Target{}, fmt.Errorf("functionConfig: %w", err)
		}
	}
	field := "--to"
	switch {
	case c.APIVersion == ConfigAPIVersion && c.Kind == ConfigKind:
		if field, to = "functionConfig.spec.to", c.Spec.To; to == "" {
			return release.Target{}, errors.New("functionConfig.spec.to: is required: a version like v1, or a release of Kubernetes like 1.36")
		}
	case c.Kind == "ConfigMap" && c.Data.To != "":
		field, to = "functionConfig.data.to", c.Data.To
	case c.Kind != "" && c.Kind != "ConfigMap":
		return release.Target{}, fmt.Errorf("functionConfig: is a %s of %s, and must be a %s of %s, or a ConfigMap", c.Kind, c.APIVersion, ConfigKind, ConfigAPIVersion)
	case to == "":
		return release.Target{}, fmt.Errorf("functionConfig: is required: a %s of %s with spec.to, or a ConfigMap with data.to", ConfigKind, ConfigAPIVersion)
	}
	target, err := release.Of(to)
	if err != nil {
		return target, fmt.Errorf("%s: %w", field, err)
	}
	return target, nil
}
