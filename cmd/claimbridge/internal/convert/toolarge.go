package convert

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/claimbridge/claimbridge/api"
	v1 "github.com/claimbridge/claimbridge/api/v1"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/finding"
	"github.com/claimbridge/claimbridge/cmd/claimbridge/internal/problems"
	"github.com/claimbridge/claimbridge/conversion"
	"github.com/claimbridge/claimbridge/internal/names"
)

// maxParameters in bytes of a configuration entry is upstream's limit since 1.32 (resourceapi.OpaqueParametersMaxLength).
const maxParameters = 10 * 1024

// tooLarge says which configuration of a claim or a template, of v1beta1 or later, is more than API servers take. What an older
// version had no limit for may be so large, and what claimbridge keeps of it beside that. The definitions of claimbridge take
// more, so claims of groups of one's own may have it.
func tooLarge(object []byte, version string) (reasons []problems.What) {
	if !api.IsNative(version) || len(object) <= maxParameters && bytes.Count(object, []byte(`"opaque":`)) <= v1.DeviceConfigMaxSize {
		return nil // without a look at all of it, as that is a third of a conversion
	}
	claim, err := conversion.Open(object)
	if err != nil {
		return nil // it was converted, so there is none
	}
	defer claim.Close()
	header := claim.Header()
	if header.Group != api.Group {
		return nil
	}
	spec, status := claim.Parts()
	path := "spec.devices.config"
	if header.Kind == api.KindTemplate {
		path = "spec." + path
	}
	var entries []*v1.OpaqueDeviceConfiguration
	for _, c := range specConfig(spec) {
		entries = append(entries, c.Opaque)
	}
	reasons = tooLargeIn(path, entries, v1.DeviceConfigMaxSize, "take some out")
	if s, _ := status.(*v1.ResourceClaimStatus); s != nil && s.Allocation != nil {
		entries = entries[:0]
		for _, c := range s.Allocation.Devices.Config {
			entries = append(entries, c.Opaque)
		}
		reasons = append(reasons, tooLargeIn("status.allocation.devices.config", entries, v1.AllocationConfigMaxSize, "let the driver deallocate the claim before")...)
	}
	return reasons
}

// specConfig of any version with devices: none has another type of it.
func specConfig(spec any) []v1.DeviceClaimConfiguration {
	v := reflect.ValueOf(spec)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	config, _ := v.Elem().FieldByName("Devices").FieldByName("Config").Interface().([]v1.DeviceClaimConfiguration)
	return config
}

func tooLargeIn(path string, entries []*v1.OpaqueDeviceConfiguration, most int, remedy string) (reasons []problems.What) {
	ours := 0
	for i, e := range entries {
		if e == nil {
			continue
		}
		if e.Driver == names.Domain {
			ours++
		}
		if size := len(e.Parameters.Raw); size > maxParameters {
			reasons = append(reasons, problems.At(finding.ConfigurationTooLarge, fmt.Sprintf("%s[%d].opaque.parameters", path, i),
				fmt.Sprintf("has %d bytes, and Kubernetes takes %d since 1.32", size, maxParameters)))
		}
	}
	if len(entries) > most && ours > 0 {
		keep := "keep"
		if ours == 1 {
			keep = "keeps"
		}
		reasons = append(reasons, problems.At(finding.ConfigurationTooLarge, path,
			fmt.Sprintf("has %d entries, of which %d %s what older versions said, and Kubernetes takes %d; %s", len(entries), ours, keep, most, remedy)))
	}
	return reasons
}
