package validation

import (
	"iter"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/claimbridge/claimbridge/api/v1alpha1"
	"github.com/claimbridge/claimbridge/api/v1alpha2"
)

// classicStatusRules are about fields that only the status of v1alpha1 and v1alpha2 has: the name of the driver and its
// handles.
var classicStatusRules = []Rule{
	{
		Name: "status-driver-name-is-valid",
		Reason: "status.driverName, if it is set, is a driver's name: a DNS subdomain in upper or lower case, at " +
			"most 63 bytes.",
		Source:     "Kubernetes 1.26 CT1, 1.30 CT1",
		Since:      release1_26,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if in.new.classic.driverName == "" {
				return nil
			}
			return in.validateDriverName(in.new.classic.driverName, statusPath.Child("driverName"))
		},
	},
	{
		Name:       "allocation-has-driver-name",
		Reason:     "status.driverName, the driver that allocated the claim, is set together with status.allocation.",
		Source:     "Kubernetes 1.26 CT2, 1.30 CT2",
		Since:      release1_26,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if in.new.classic.driverName != "" || !in.new.isAllocated {
				return nil
			}
			return field.ErrorList{field.Required(statusPath.Child("driverName"),
				"must be specified when `allocation` is set")}
		},
	},
	{
		Name:       "resource-handle-at-most-16-kib",
		Reason:     "A resource handle has at most 16384 bytes (bytes, not characters).",
		Source:     "Kubernetes 1.26 CT3",
		Since:      release1_26,
		Until:      release1_26,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			if len(in.new.classic.handle) <= v1alpha1.ResourceHandleMaxSize {
				return nil
			}
			return field.ErrorList{field.TooLong(allocationPath.Child("resourceHandle"), "",
				v1alpha1.ResourceHandleMaxSize)}
		},
	},
	{
		Name:       "resource-handles-at-most-32",
		Reason:     "An allocation has at most 32 resource handles.",
		Source:     "Kubernetes 1.30 CT4",
		Since:      release1_30,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) field.ErrorList {
			n := len(in.new.classic.handles)
			return in.validateLength(n, v1alpha2.AllocationResultResourceHandlesMaxSize, handlesPath)
		},
	},
	{
		Name:       "resource-handle-driver-name-is-valid",
		Reason:     "Each resource handle names its driver, although the kubelet could use status.driverName.",
		Source:     "Kubernetes 1.30 CT5",
		Since:      release1_30,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, h := range in.new.classic.handles {
				errs = add(errs, in.validateDriverName(h.DriverName, handlesPath.Index(i).Child("driverName"))...)
			}
			return errs
		},
	},
	{
		Name:       "resource-handle-data-at-most-16-kib",
		Reason:     "The data of a resource handle has at most 16384 bytes (bytes, not characters).",
		Source:     "Kubernetes 1.30 CT6",
		Since:      release1_30,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, h := range in.new.classic.handles {
				if len(h.Data) > v1alpha2.ResourceHandleDataMaxSize {
					path := handlesPath.Index(i).Child("data")
					errs = add(errs, field.TooLong(path, "", v1alpha2.ResourceHandleDataMaxSize))
				}
			}
			return errs
		},
	},
	{
		Name:       "resource-handle-has-one-kind-of-data",
		Reason:     "A resource handle has data or structuredData, not both.",
		Source:     "Kubernetes 1.30 CT7",
		Since:      release1_30,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for i, h := range in.new.classic.handles {
				if h.Data != "" && h.StructuredData != nil {
					errs = add(errs, field.Invalid(handlesPath.Index(i), field.OmitValueType{},
						"data and structuredData are mutually exclusive"))
				}
			}
			return errs
		},
	},
	{
		Name:       "structured-node-name-is-subdomain",
		Reason:     "The node of structured data, if it is set, is a node's name.",
		Source:     "Kubernetes 1.30 CT8",
		Since:      release1_30,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, data := range in.structuredData() {
				if data.NodeName != "" {
					errs = add(errs, validateSubdomain(data.NodeName, path.Child("nodeName"))...)
				}
			}
			return errs
		},
	},
	{
		Name:       "structured-result-has-model",
		Reason:     "Each result of structured data has a model. Kubernetes 1.30 has one, namedResources.",
		Source:     "Kubernetes 1.30 CT9",
		Since:      release1_30,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, data := range in.structuredData() {
				for i := range data.Results {
					if data.Results[i].NamedResources == nil {
						errs = add(errs, field.Required(path.Child("results").Index(i),
							"exactly one structured model field must be set"))
					}
				}
			}
			return errs
		},
	},
	{
		Name:       "named-resource-is-subdomain",
		Reason:     "The name of an allocated named resource is a DNS subdomain.",
		Source:     "Kubernetes 1.30 CT10",
		Since:      release1_30,
		Until:      release1_30,
		operations: onStatus,
		check: func(in *input) (errs field.ErrorList) {
			for path, data := range in.structuredData() {
				for i := range data.Results {
					if named := data.Results[i].NamedResources; named != nil {
						namePath := path.Child("results").Index(i).Child("namedResources", "name")
						errs = add(errs, validateSubdomain(named.Name, namePath)...)
					}
				}
			}
			return errs
		},
	},
}

var handlesPath = allocationPath.Child("resourceHandles")

// structuredData returns the structured data of handles that have some, with its path. It may be empty, and vendor
// parameters in it are any JSON of any size (CT11, CT12).
func (in *input) structuredData() iter.Seq2[*field.Path, *v1alpha2.StructuredResourceHandle] {
	return func(yield func(*field.Path, *v1alpha2.StructuredResourceHandle) bool) {
		for i, h := range in.new.classic.handles {
			if h.StructuredData != nil && !yield(handlesPath.Index(i).Child("structuredData"), h.StructuredData) {
				return
			}
		}
	}
}
